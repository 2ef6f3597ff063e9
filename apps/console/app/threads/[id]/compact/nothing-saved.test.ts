import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { nothingSaved } from './nothing-saved';

const cut = (tokens_after: number) => ({ tokens_after }) as NonNullable<Schemas['CompactionPreview']['cut']>;

test('a compaction that saves almost nothing says so with its numbers', () => {
  expect(nothingSaved({ tokens_before: 20_433, cut: cut(20_430) })).toMatch(
    /^Nothing would be saved: 20,433 → 20,430 tokens/,
  );
  expect(nothingSaved({ tokens_before: 20_433, cut: cut(21_000) })).not.toBeNull();
  expect(nothingSaved({ tokens_before: 20_433, cut: cut(9_000) })).toBeNull();
  expect(nothingSaved({ tokens_before: 20_433, cut: null })).toBeNull();
});
