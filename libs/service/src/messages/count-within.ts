import type { MessageSize } from '@spillway/store';

/** How many of these messages, from the first one on, take at most so many bytes together; at least one of them. */
export function countWithin(sizes: readonly MessageSize[], maxBytes: number): number {
  let sum = 0;
  const over = sizes.findIndex(({ bytes }) => (sum += bytes) > maxBytes);
  return over < 0 ? sizes.length : Math.max(1, over);
}
