/** What a line is worth to someone who asks why a run failed. */
export interface FailureRule {
  /** Bounded: no repetition inside a repetition, and lines are cut before they are matched. */
  pattern: RegExp;
  /** 10 states a cause in so many words; 1 hints at one. */
  weight: number;
}

export const rule = (weight: number, pattern: RegExp): FailureRule => ({ pattern, weight });
