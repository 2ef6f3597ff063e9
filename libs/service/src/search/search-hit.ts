/** The text of a message, or a line of its offloaded output. */
export interface Found {
  seq: number;
  role: string;
  /** The location, when the hit is in an offloaded output. */
  output: { id: string; line: number; column: number } | null;
  text: string;
}

/** The text around the match. */
export interface ScoredHit extends Omit<Found, 'text'> {
  score: number;
  snippet: string;
}

/** The sort key of a hit. */
export type HitRank = Pick<ScoredHit, 'seq' | 'output' | 'score'>;

/** Best first; then the newer message, the message before its outputs, and the order of lines. */
export function compareHits(a: HitRank, b: HitRank): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.seq !== b.seq) return b.seq - a.seq;
  const [idOfA, idOfB] = [a.output?.id ?? '', b.output?.id ?? ''];
  if (idOfA !== idOfB) return idOfA < idOfB ? -1 : 1;
  const lines = (a.output?.line ?? 0) - (b.output?.line ?? 0);
  return lines !== 0 ? lines : (a.output?.column ?? 0) - (b.output?.column ?? 0);
}
