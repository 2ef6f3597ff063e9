import { expect, test } from 'vitest';
import { newestFound } from './newest-found.js';
import type { Instruction } from './instruction.js';

const instruction = (seq: number, text: string, kind: Instruction['kind'] = 'procedure'): Instruction => ({
  id: `${seq}-0`,
  seq,
  participant: null,
  text,
  kind,
  source: 'found',
  decision: null,
});
const seqsOf = (found: readonly Instruction[], instructions: number, possible = 2) =>
  newestFound(found, { instructions, possible }).map(({ seq }) => seq);

test('where there is room for all of them all are kept, repeats too', () => {
  const found = [
    instruction(1, 'Run the tests.'),
    instruction(2, 'Ask first.'),
    instruction(3, 'Run the tests.'),
  ];
  expect(seqsOf(found, 3)).toEqual([1, 2, 3]);
});

test('repeats go first, the oldest of them before the others', () => {
  const reminders = [2, 3, 4, 5].map((seq) => instruction(seq, 'Run the tests.'));
  const found = [instruction(1, 'Ask first.'), ...reminders, instruction(6, 'It is done.', 'ending')];
  expect(seqsOf(found, 4)).toEqual([1, 4, 5, 6]);
  expect(seqsOf(found, 3)).toEqual([1, 5, 6]);
  expect(seqsOf(found, 2)).toEqual([5, 6]);
});

test('of what may be one each text is kept once, where it was said last, and displaces none', () => {
  const found = [
    instruction(1, 'Ask first.'),
    instruction(2, 'The shop is shut.', 'possible'),
    instruction(3, 'The door is blue.', 'possible'),
    instruction(4, 'The owner is Ann.', 'possible'),
    instruction(5, 'The shop is shut.', 'possible'),
  ];
  expect(seqsOf(found, 1)).toEqual([1, 4, 5]);
});
