/**
 * Takes a cue: its kind, and up to four words or classes that it consists of. In parts, because most cues that are seen
 * are not known: nobody has to join them to look that up.
 */
export type OnCue = (kind: string, one: string, two?: string, three?: string, four?: string) => void;

export const nameOfCue: (...cue: Parameters<OnCue>) => string = (kind, ...parts) =>
  kind + parts.filter((part) => part !== undefined).join('_');

/** Takes a word, for all cues that it shows wherever it stands: what is known of them is looked up once for each word. */
export type OnWord = (word: string) => void;
