/**
 * The same text in memory of its own. A piece of a text keeps the whole of it in memory for as long as the piece is
 * kept, so what outlives its message is copied. Half of a character becomes U+FFFD.
 */
export const ownCopy = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
