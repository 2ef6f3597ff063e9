import { textOf, type Message } from '../messages/message.js';
import { participantOf, type Speaker } from '../messages/participant.js';
import type { CountTokens } from '../tokens/counter.js';
import { maxCharactersPerToken } from './show-text.js';

/** A text of the user or of the assistant. */
export interface Spoken extends Speaker {
  seq: number;
  role: 'user' | 'assistant';
  text: string;
}

/** How many of the best hits are followed, and through how many messages. */
const followedHits = 2;
const reach = 8;
/** Tokens of one follow-up: a longer message is no short answer, and a search of its own finds it. */
const maxOfFollowUp = 40;
/** Most tokens of all follow-ups, and their part of a page. */
const maxOfAll = 150;
const shareOfPage = 1 / 20;

/** The seqs behind the best hits, whose messages may be follow-ups, by the seq of the hit. */
export function seqsBehind(hits: readonly number[], through: number): Map<number, number[]> {
  const taken = new Set(hits);
  const behind = new Map<number, number[]>();
  for (const hit of [...taken].slice(0, followedHits)) {
    const next = Array.from({ length: reach }, (_, i) => hit + i + 1);
    const seqs = next.filter((seq) => seq <= through && !taken.has(seq));
    for (const seq of seqs) taken.add(seq);
    behind.set(hit, seqs);
  }
  return behind;
}

/** The text of a message of the user or the assistant, without results; null when there is none. */
export function spokenIn(seq: number, { role, parts, name }: Message): Spoken | null {
  if (role !== 'user' && role !== 'assistant') return null;
  const text = textOf({ role, name, parts: parts.filter(({ type }) => type !== 'result') }).trim();
  return text === '' ? null : { seq, role, participant: participantOf({ role, name }), text };
}

/**
 * Short answers that were given soon after the best hits, by the seq of the hit. A question that a thread answers has
 * the words of the request ("my new address"), and the answer ("Nyvej 11, Narvik") often shares none of them.
 */
export function followUps(
  behind: ReadonlyMap<number, readonly number[]>,
  spoken: ReadonlyMap<number, Spoken>,
  { pageTokens, count }: { pageTokens: number; count: CountTokens },
): { bySeq: Map<number, Spoken[]>; tokens: number } {
  const most = Math.min(maxOfAll, Math.floor(pageTokens * shareOfPage));
  let tokens = 0;
  const bySeq = new Map<number, Spoken[]>();
  for (const [hit, seqs] of behind) {
    const short = seqs
      .flatMap((seq) => spoken.get(seq) ?? [])
      .filter(({ text }) => {
        if (text.length > maxOfFollowUp * maxCharactersPerToken) return false;
        const own = count(text);
        if (own > maxOfFollowUp || tokens + own > most) return false;
        tokens += own;
        return true;
      });
    bySeq.set(hit, short);
  }
  return { bySeq, tokens };
}
