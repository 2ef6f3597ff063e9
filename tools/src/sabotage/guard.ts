/** A guard of the product, how to take it away, and the test that must notice. */
export interface Guard {
  /** What it keeps from happening. */
  name: string;
  /** Under libs/…/src; the same text stands in what it is built to. */
  file: string;
  /** Exactly as it stands there. */
  find: string;
  replace: string;
  /** It stands there several times, and all of them go. */
  everywhere?: true;
  test: { file: string; name: string };
}
