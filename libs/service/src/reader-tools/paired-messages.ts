import { clipHead, readMessage, searchableMessage } from '@spillway/engine';
import { callersOf, resultsOfCalls, type PairedMessage } from '@spillway/store';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import type { ReaderScope } from './reader-call.js';

/** More results of one message are not shown with it. */
const maxPairs = 8;
/** Tokens of a pair beside its text: where it is, and how to read it whole. */
const headTokens = 45;
const minTextTokens = 20;

/** The call of a result, or the results of the calls of a message, by seq. */
export async function pairedMessages(
  rt: Runtime,
  { projectId, threadUid }: ReaderScope,
  seq: number,
  { calls, answers }: { calls: readonly { id: string }[]; answers: readonly string[] },
): Promise<PairedMessage[]> {
  const of = { projectId, threadUid };
  const found =
    answers.length > 0
      ? await callersOf(
          rt.store.query,
          of,
          answers.map((id) => ({ id, seq })),
        )
      : await resultsOfCalls(
          rt.store.query,
          of,
          calls.map(({ id }) => ({ id, seq })),
        );
  // One message may answer several calls.
  const bySeq = new Map(found.map((pair) => [pair.seq, pair]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

/** Writes pairs within these tokens, of which each gets the same share. None where they would not fit. */
export function showPairs(
  pairs: readonly PairedMessage[],
  { room: { count }, callOf }: ReaderScope,
  tokens: number,
): string[] {
  const shown = pairs.slice(0, maxPairs);
  const share = Math.floor(tokens / shown.length) - headTokens;
  if (share < minTextTokens) return [];
  return shown.map((pair) => {
    const text = searchableMessage(readMessage(storedOf(pair))).text.replace(/\n+$/, '');
    const isWhole = count(text) <= share;
    const whole = isWhole ? '' : `; whole: ${callOf('read_message', { seq: pair.seq })}`;
    return `[its pair, message ${pair.seq}, ${pair.role}${whole}]\n${isWhole ? text : clipHead(text, share, count)}`;
  });
}
