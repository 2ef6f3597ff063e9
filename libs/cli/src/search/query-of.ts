/** The query of words as the shell gives them: one with a space came in quotes, so it is a phrase. */
export const queryOf = (words: readonly string[]): string =>
  words.map((word) => (/\s/.test(word) && words.length > 1 ? `"${word}"` : word)).join(' ');
