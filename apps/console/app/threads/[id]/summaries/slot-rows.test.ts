import { expect, test } from 'vitest';
import { slotRows } from './slot-rows';

test('each slot says what it takes, and what another lent it', () => {
  const slots = {
    max_tokens: 1_024,
    budget: { instructions: 40, facts: 300, narrative: 724 },
    used: { instructions: 40, facts: 420, narrative: 500 },
    free: 104,
  };
  expect(slotRows(slots).map(({ title, used, of }) => [title, used, of])).toEqual([
    ['Instructions', 40, 'beside it'],
    ['Facts', 420, 'of 300, 120 lent'],
    ['Narrative', 500, 'of 724'],
  ]);
});
