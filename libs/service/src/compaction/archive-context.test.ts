import { describe, expect, test } from 'vitest';
import { gapsIn } from './archive-context.js';

describe('an archive is written where its files have gaps', () => {
  test.each([
    [[], 5, [{ from: 1, to: 5 }]],
    [[{ from: 1, to: 5 }], 5, []],
    [[{ from: 1, to: 5 }], 9, [{ from: 6, to: 9 }]],
    [
      [
        { from: 3, to: 4 },
        { from: 8, to: 20 },
      ],
      9,
      [
        { from: 1, to: 2 },
        { from: 5, to: 7 },
      ],
    ],
    [[{ from: 12, to: 20 }], 9, [{ from: 1, to: 9 }]],
    [
      [
        { from: 1, to: 9 },
        { from: 2, to: 3 },
      ],
      10,
      [{ from: 10, to: 10 }],
    ],
  ])('of %j and messages up to %i, what is not archived yet', (ranges, toSeq, gaps) => {
    expect(gapsIn(ranges, toSeq)).toEqual(gaps);
  });
});
