/** What a continuing agent could need to know of a thread, with the strings that an answer needs. */
export interface Quiz {
  /** The name of a sample. */
  thread: string;
  /** Nothing was tuned on it. */
  heldBack?: boolean;
  questions: { q: string; needs: string[] }[];
}
