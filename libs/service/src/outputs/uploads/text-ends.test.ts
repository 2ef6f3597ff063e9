import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextEnds } from './text-ends.js';

test('both ends are kept, however the bytes are cut into pieces', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 50 }), (chunks, max) => {
      const ends = new TextEnds(max);
      for (const chunk of chunks) ends.add(Buffer.from(chunk));
      const all = Buffer.concat(chunks);
      const isWhole = all.length <= 2 * max;
      const expected = isWhole ? all : Buffer.concat([all.subarray(0, max), all.subarray(all.length - max)]);
      expect(ends.ends()).toEqual({ bytes: expected, isWhole });
    }),
    { numRuns: 500 },
  );
});
