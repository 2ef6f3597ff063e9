import { loadSamples, randomOf } from '@spillway/testing';

/** Characters of a message, all of them ASCII: as many bytes. */
export const messageBytes = 1_024;

/**
 * Returns the messages of an endless conversation by number: pieces of 1 KB of the repository's recorded threads, so
 * that they compress as real ones do. The same number gives the same text.
 */
export function conversation(): (number: number) => string {
  const text = loadSamples()
    .flatMap(({ messages }) => messages.map(({ content }) => (typeof content === 'string' ? content : '')))
    .join(' ')
    .replace(/[^\x20-\x7e]+/g, ' ');
  return (number) => {
    const head = `#${number} `;
    const from = randomOf(number).below(text.length - messageBytes);
    return (
      head +
      text
        .slice(from, from + messageBytes - head.length)
        .trim()
        .padEnd(messageBytes - head.length, '.')
    );
  };
}
