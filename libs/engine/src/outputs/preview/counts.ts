export const plural = (n: number, noun: string, nouns = `${noun}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? noun : nouns}`;

/** The line of a gap; none where nothing is left out. */
export const notShown = (n: number, noun: string, nouns?: string): string[] =>
  n > 0 ? [`--- ${plural(n, noun, nouns)} not shown ---`] : [];
