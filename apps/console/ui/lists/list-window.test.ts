import { expect, test } from 'vitest';
import { isWellWithin, rowsBefore, windowRows } from './list-window';

test('a window around any row has that row well within, and one that is short enough begins at the first', () => {
  for (let row = 1; row <= 12 * windowRows; row += 999) expect(isWellWithin(row, rowsBefore(row))).toBe(true);
  expect(rowsBefore(windowRows / 2)).toBe(0);
  expect(isWellWithin(1, 0)).toBe(true);
});

test('a row near an edge, or outside of the window, is not well within', () => {
  const before = 5 * windowRows;
  for (const row of [1, before, before + 1, before + windowRows, before + windowRows + 1, 20 * windowRows])
    expect(isWellWithin(row, before), String(row)).toBe(false);
});
