import { expect, test } from 'vitest';
import { progressBar } from './progress-bar.js';

test.each([
  [0, 4, '[                        ] 0 %  0 of 4 threads'],
  [1, 4, '[######                  ] 25 %  1 of 4 threads'],
  [999, 1_000, '[########################] 99 %  999 of 1000 threads'],
  [4, 4, '[########################] 100 %  4 of 4 threads'],
  [5, 4, '[########################] 100 %  5 of 4 threads'],
  [7, null, '7 threads'],
  [0, 0, '0 threads'],
])('%d of %s', (done, total, expected) => {
  expect(progressBar(done, total, 'threads')).toBe(expected);
});
