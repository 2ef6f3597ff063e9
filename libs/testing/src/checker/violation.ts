/** The violated promise, documented with the checks. P17: an answer that no client should ever get. */
export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I14'
  | 'I16'
  | 'P17';

export interface Violation {
  invariant: Invariant;
  /** `project/thread`, or what else it is about. */
  at: string;
  seq: number | null;
  detail: string;
}

export const violation = (
  invariant: Invariant,
  at: string,
  seq: number | null,
  detail: string,
): Violation => ({ invariant, at, seq, detail });
