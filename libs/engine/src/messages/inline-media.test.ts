import fc from 'fast-check';
import { expect, test } from 'vitest';
import { threadMs } from '../../../../test/thread-time.js';
import { inlineMediaIn, isCanonicalBase64 } from './inline-media.js';

// The same cases each time; SPILLWAY_SEED selects others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

test('base64 is canonical exactly when its bytes encode to the same text', () => {
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    fc.string({ unit: fc.constantFrom(...'ABQgwEZaz09+/=-_ \n'), maxLength: 12 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(isCanonicalBase64(text)).toBe(Buffer.from(text, 'base64').toString('base64') === text);
    }),
    { numRuns: 5_000 },
  );
});

test('a data URL is its head and its data, and 7 MB are examined in a few milliseconds', () => {
  const data = 'iVBORw0K'.repeat(900_000);
  const started = threadMs();
  const found = inlineMediaIn(`data:image/png;base64,${data}`);
  expect(threadMs() - started).toBeLessThan(200);
  expect(found).toEqual({ prefix: 'data:image/png;base64,', data, subtype: 'png' });
  expect(inlineMediaIn(`data:image/png;base64,${data}!`)).toBeUndefined();
});
