/** A guard of the product, how to remove it, and the test that must fail then. */
export interface Guard {
  /** What it prevents. */
  name: string;
  /** From the root of the repository. A TypeScript source under `src` must be built to the same text. */
  file: string;
  /** Exactly as it stands there. */
  find: string;
  replace: string;
  /** It occurs several times, and all occurrences are removed. */
  everywhere?: true;
  test: { file: string; name: string };
  /** Ids in findings.ts of the findings that it repairs. */
  findings?: readonly string[];
}
