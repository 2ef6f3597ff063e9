import {
  followUps,
  minOfHit,
  participantOf,
  readMessage,
  searchableMessage,
  seqsBehind,
  showText,
  snippetOf,
  spokenIn,
  tokensOfHit,
  type ShowOptions,
  type Spoken,
  type TextWindow,
} from '@spillway/engine';
import { callersOf, readBodies, resultsOfCalls, type NamedCall, type PairedMessage } from '@spillway/store';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import type { RankedHit } from './search-hit.js';

/** What is shown of a text. */
export interface ShownHit {
  windows: TextWindow[];
  /** Whether the windows hold the whole text. */
  complete: boolean;
}

export interface PairedHit extends ShownHit {
  seq: number;
  role: string;
}

export interface HitWithText extends ShownHit {
  hit: RankedHit;
  /** Which of several people said it, where the message has a name. */
  participant: string | null;
  /** The best match on one line. */
  snippet: string;
  /** The call of a result, or the result of a call. */
  pair: PairedHit | null;
  /** Short messages that were said soon after it, of the best hits. */
  followedBy: Spoken[];
}

interface Of {
  projectId: string;
  threadUid: string;
}

interface Page {
  maxTokens: number;
  /** The last seq that was searched. */
  through: number;
}

/** Part of a hit's tokens that its pair leaves to it, when it has one. */
const ownShare = 0.65;

/** Reads the texts of a page of hits and their pairs, and chooses what to show of each within these tokens. */
export async function showHits(
  rt: Runtime,
  of: Of,
  hits: readonly RankedHit[],
  { maxTokens, through, ...showing }: ShowOptions & Page,
): Promise<HitWithText[]> {
  const seqs = hits.flatMap((hit) => (hit.passage === null ? [hit.seq] : []));
  const rows = await readBodies(rt.store.query, of.projectId, of.threadUid, seqs);
  const messages = new Map(rows.map((row) => [row.seq, readMessage(storedOf(row))]));
  const pairs = await pairsOf(rt, of, hits, showing.weights);
  const behind = seqsBehind(
    hits.map((hit) => hit.seq),
    through,
  );
  const spoken = await spokenAt(rt, of, [...behind.values()].flat());
  const followed = followUps(behind, spoken, { pageTokens: maxTokens, count: showing.count });
  let left = maxTokens - followed.tokens;
  return hits.map((hit, i) => {
    // Passages of one output are hits with the same seq: the first has what followed.
    const isFirst = hits.findIndex(({ seq }) => seq === hit.seq) === i;
    const message = messages.get(hit.seq);
    const text = hit.passage ?? (message ? searchableMessage(message).text : '');
    const other = pairs.get(hit);
    const tokens = tokensOfHit(left);
    const own = showText(text, other ? Math.floor(tokens * ownShare) : tokens, showing);
    const shown = other && showText(textOf(other), Math.max(minOfHit / 3, tokens - own.tokens), showing);
    left -= own.tokens + (shown?.tokens ?? 0);
    return {
      hit,
      participant: message ? participantOf(message) : null,
      snippet: snippetOf(text, showing.terms, showing.weights),
      windows: own.windows.map((window) => ({ ...window, line: window.line + hit.from - 1 })),
      // A passage is a part of its output.
      complete: own.complete && hit.passage === null,
      pair:
        other && shown
          ? { seq: other.seq, role: other.role, windows: shown.windows, complete: shown.complete }
          : null,
      followedBy: isFirst ? (followed.bySeq.get(hit.seq) ?? []) : [],
    };
  });
}

/** What users and the assistant said there, unless it was rewound. */
async function spokenAt(rt: Runtime, of: Of, seqs: readonly number[]): Promise<Map<number, Spoken>> {
  if (seqs.length === 0) return new Map();
  const rows = await readBodies(rt.store.query, of.projectId, of.threadUid, seqs);
  const shown = rows.filter(({ rewoundBefore }) => rewoundBefore === 0);
  return new Map(
    shown.flatMap((row) => {
      const spoken = spokenIn(row.seq, readMessage(storedOf(row)));
      return spoken ? [[row.seq, spoken]] : [];
    }),
  );
}

const textOf = (row: { body: string; format: string }): string =>
  searchableMessage(readMessage(storedOf(row))).text;

/** The other half of each hit that is a call or a result. */
async function pairsOf(
  rt: Runtime,
  of: Of,
  hits: readonly RankedHit[],
  weights: readonly number[],
): Promise<Map<RankedHit, PairedMessage>> {
  const answered = hits.flatMap((hit) => hit.answers.map((id): NamedCall => ({ id, seq: hit.seq })));
  const made = hits.flatMap((hit) => {
    const call = hit.answers.length > 0 ? undefined : bestCall(hit, weights);
    return call ? [{ id: call.id, seq: hit.seq }] : [];
  });
  const callers = await callersOf(rt.store.query, of, answered);
  const results = await resultsOfCalls(rt.store.query, of, made);
  const byCall = new Map([...callers, ...results].map((pair) => [`${pair.ofSeq} ${pair.callId}`, pair]));
  const pairs = new Map<RankedHit, PairedMessage>();
  for (const hit of hits) {
    const ids = hit.answers.length > 0 ? hit.answers : [bestCall(hit, weights)?.id];
    const pair = ids.map((id) => byCall.get(`${hit.seq} ${id}`)).find((found) => found !== undefined);
    if (pair) pairs.set(hit, pair);
  }
  return pairs;
}

/** Of the calls in a message, the one with the most of what is searched for. */
function bestCall(hit: RankedHit, weights: readonly number[]): RankedHit['calls'][number] | undefined {
  const worth = ({ counts }: RankedHit['calls'][number]): number =>
    weights.reduce((sum, weight, i) => sum + (counts.exact[i]! + counts.partial[i]! > 0 ? weight : 0), 0);
  return hit.calls.reduce<RankedHit['calls'][number] | undefined>(
    (best, call) => (best && worth(best) >= worth(call) ? best : call),
    undefined,
  );
}
