import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { instructionsIn } from './instructions-in.js';
import type { Instruction } from './instruction.js';
import { withStates } from './states.js';

const samples = new URL('../../instruction-samples/', import.meta.url);

/** Labelled sentences and messages, one JSON object a line. */
const read = <T>(file: string): T[] =>
  readFileSync(new URL(file, samples), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const allIn = (text: string, seq = 1): Instruction[] =>
  instructionsIn({ seq, role: 'user', name: null, speech: text });
const readFrom = (text: string, seq = 1): Instruction[] =>
  allIn(text, seq).filter(({ kind }) => kind !== 'possible');
const found = (text: string): Instruction[] => readFrom(text).filter(({ kind }) => kind !== 'ending');

/** The state of what was said first, after what was said then. */
const isActiveAfter = (older: string, newer: string): boolean | null => {
  const first = withStates([...readFrom(older, 1), ...allIn(newer, 2)]).filter(
    ({ seq, kind }) => seq === 1 && kind !== 'ending',
  );
  return first.length === 0 ? null : first.some(({ state }) => state === 'active');
};

/**
 * At least this share of the samples passes. The failure names those that do not, but of an unseen half only how many
 * they are: who reads them would write rules for them.
 */
function expectShare<T>(
  all: readonly T[],
  isRight: (one: T) => boolean,
  share: number,
  isUnseen = false,
): void {
  const wrong = all.filter((one) => !isRight(one));
  expect(
    1 - wrong.length / all.length,
    isUnseen
      ? `${wrong.length} of ${all.length} are wrong`
      : wrong.map((one) => JSON.stringify(one)).join('\n'),
  ).toBeGreaterThanOrEqual(share);
}

/**
 * The weights of the cues were learnt from all but the unseen halves, and the rules were written with the first four in
 * view. The unseen halves measure only. Those of `registers`, `domains` and `languages` are hard on purpose: no phrase
 * says that a wish is to hold, and the others are made to look like one. Those of languages other than English have
 * weights of their own, and no rules.
 */
describe.each([
  { half: 'tuned', recall: 0.95, falsePositives: 0.05 },
  { half: 'checked', recall: 0.95, falsePositives: 0.05 },
  { half: 'varied', recall: 0.95, falsePositives: 0.05 },
  { half: 'plain', recall: 0.95, falsePositives: 0.05 },
  { half: 'registers', recall: 0.95, falsePositives: 0.05 },
  { half: 'domains', recall: 0.95, falsePositives: 0.05 },
  { half: 'voices', recall: 0.95, falsePositives: 0.05 },
  { half: 'languages', recall: 0.95, falsePositives: 0.05 },
  { half: 'varied-unseen', recall: 0.95, falsePositives: 0.05 },
  { half: 'registers-unseen', recall: 0.8, falsePositives: 0.12 },
  { half: 'domains-unseen', recall: 0.85, falsePositives: 0.13 },
  { half: 'languages-unseen', recall: 0.75, falsePositives: 0.06 },
  { half: 'languages-plain-unseen', recall: 0.86, falsePositives: 0.05 },
])('the $half half of the labelled sentences', ({ half, recall, falsePositives }) => {
  const isUnseen = half.endsWith('-unseen');

  test('instructions are found', () => {
    const all = read<{ text: string }>(`${half}/instructions.jsonl`);
    expectShare(all, ({ text }) => found(text).length > 0, recall, isUnseen);
  });

  test('other sentences are not taken for one', () => {
    // What holds for the task in hand may be kept or not.
    const all = read<{ text: string; why?: string }>(`${half}/negatives.jsonl`).filter(
      ({ why }) => why !== 'task_constraint',
    );
    expectShare(all, ({ text }) => found(text).length === 0, 1 - falsePositives, isUnseen);
  });
});

/** What is not found is shown as what may hold; the failure names no sentence of a half that only measures. */
test.each([
  ['registers', 0.98],
  ['domains', 0.97],
  ['varied-unseen', 0.99],
  ['registers-unseen', 0.95],
  ['domains-unseen', 0.97],
  ['languages-unseen', 0.96],
  ['languages-plain-unseen', 0.97],
])('of the %s half, at least %d of the instructions are found or possible', (half, least) => {
  const all = read<{ text: string }>(`${half}/instructions.jsonl`);
  const kept = all.filter(({ text }) => allIn(text).some(({ kind }) => kind !== 'ending'));
  expect(kept.length / all.length).toBeGreaterThanOrEqual(least);
});

test('instructions are found in whole messages', () => {
  const all = ['checked', 'registers'].flatMap((half) =>
    read<{ text: string; instructions: string[] }>(`${half}/messages.jsonl`).flatMap(
      ({ text, instructions }) => instructions.map((wanted) => ({ text, wanted })),
    ),
  );
  expectShare(
    all,
    ({ text, wanted }) => found(text).some((one) => one.text.includes(wanted) || wanted.includes(one.text)),
    0.95,
  );
});

describe('states', () => {
  /** The rules were written with these pairs in view. */
  test.each([
    ['checked', 0.95],
    ['tuned', 0.9],
  ])(
    'a newer instruction of the %s half retires the older one if it is on the same matter, and only then',
    (half, share) => {
      const all = read<{ old: string; new: string; retires: boolean }>(`${half}/updates.jsonl`);
      expectShare(all, (one) => isActiveAfter(one.old, one.new) === !one.retires, share);
    },
  );

  /** Written without the rules in view; the last two halves measure alone. The bounds keep what is reached. */
  test.each([
    ['pairs', 0.72],
    ['voices', 0.63],
    ['pairs-unseen', 0.73],
    ['changes-unseen', 0.66],
  ])('of the %s half, at least %d of the pairs are told right', (half, share) => {
    const all = read<{ old: string; new: string; retires: boolean }>(`${half}/updates.jsonl`);
    const right = all.filter((one) => isActiveAfter(one.old, one.new) === !one.retires);
    expect(right.length / all.length).toBeGreaterThanOrEqual(share);
  });

  test('an instruction for a task goes when the task is over', () => {
    const all = read<{ instruction: string; closing: string }>('checked/finished.jsonl');
    expectShare(all, ({ instruction, closing }) => isActiveAfter(instruction, closing) === false, 0.84);
  });
});
