import { expect, test } from 'vitest';
import { newestIdentifiers } from './identifiers.js';

test('a million identifiers are chosen from without overflowing the stack', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, i) => ({ value: `file${i}.ts`, seq: i + 1, uses: 1 }));
  const kept = newestIdentifiers(ids, 30, (text) => text.length);
  expect(kept.map((id) => id.seq)).toEqual([1_000_000]);
});
