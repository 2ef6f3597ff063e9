import type { Candidate, Rank, SearchedText } from '@spillway/engine';

/** Where a hit is: a message, or a passage of its offloaded output. */
export interface HitPlace {
  seq: number;
  /** The line with the match, when the hit is in an offloaded output. */
  output: { id: string; line: number; column: number } | null;
}

/** The text of a message, or a passage of an offloaded output. */
export interface Found extends HitPlace, SearchedText {
  role: string;
  /** The first line of a passage. */
  from: number;
  /** False: it is no hit, and only lends its calls to the results of a search for results. */
  isAskedFor: boolean;
}

/** A text that was searched, without the text of a message: a thread may be larger than the memory. */
export interface SearchCandidate extends HitPlace, Candidate {
  role: string;
  from: number;
  isAskedFor: boolean;
  /** The text of a passage; null for a message. */
  passage: string | null;
}

export type RankedHit = SearchCandidate & Rank;

/** The sort key of a hit. */
export type HitRank = HitPlace & Rank;

/** Best first; then the newer message, the message before its outputs, and the order of lines. */
export function compareHits(a: HitRank, b: HitRank): number {
  if (a.level !== b.level) return b.level - a.level;
  if (a.score !== b.score) return b.score - a.score;
  if (a.seq !== b.seq) return b.seq - a.seq;
  const [idOfA, idOfB] = [a.output?.id ?? '', b.output?.id ?? ''];
  if (idOfA !== idOfB) return idOfA < idOfB ? -1 : 1;
  const lines = (a.output?.line ?? 0) - (b.output?.line ?? 0);
  return lines !== 0 ? lines : (a.output?.column ?? 0) - (b.output?.column ?? 0);
}
