/** A guard of the product, how to take it away, and the test that must notice. */
export interface Guard {
  /** What it keeps from happening. */
  name: string;
  /** From the root of the repository. A TypeScript source under `src` must be built to the same text. */
  file: string;
  /** Exactly as it stands there. */
  find: string;
  replace: string;
  /** It stands there several times, and all of them go. */
  everywhere?: true;
  test: { file: string; name: string };
  /** Findings of the review whose repair this is, by their ids in findings.ts. */
  findings?: readonly string[];
}
