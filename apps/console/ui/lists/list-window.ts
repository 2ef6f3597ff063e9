/**
 * Maximum number of rows that are laid out at once. Browsers limit the height of an element, Firefox to about 17 million
 * pixels, so of a longer list only a window is laid out. It moves when what is in view comes near one of its edges.
 */
export const windowRows = 100_000;

const half = windowRows / 2;
/** Less than the distance that `rowsBefore` leaves, so that a window that has moved does not move again. */
const margin = windowRows / 5;

/** Returns how many rows come before the window around `row`, counted from 1: both edges are a quarter of it away. */
export const rowsBefore = (row: number): number => Math.max(0, Math.round(row / half - 1) * half);

/** Whether a row can be in view without an edge of the window near by. The start of the list is no such edge. */
export const isWellWithin = (row: number, before: number): boolean =>
  (before === 0 || row > before + margin) && row <= before + windowRows - margin;
