import { userMessage } from '../messages/message.js';
import { describe, expect, test } from 'vitest';
import { seqMessage, type SeqMessage } from '../messages/seq-message.js';
import { citationsIn } from './statements.js';
import { FactTable } from './fact-table.js';
import { factsIn } from './facts-in.js';
import { SaidText } from '../ledger/said-text.js';
import { threadMs } from '../../../../test/thread-time.js';

const userSays = (text: string, seq = 1): SeqMessage => seqMessage(seq, userMessage(text));
const called = (input: string): SeqMessage => ({
  ...userSays(''),
  role: 'assistant',
  calls: [{ id: 'c', name: 'bash', input }],
});
const found = (message: SeqMessage) => factsIn(message).map(({ kind, text }) => `${kind} ${text}`);

describe('facts of a message', () => {
  test.each([
    ['a path is no id as well', 'see src/app2/main.ts.', ['path src/app2/main.ts']],
    ['an id', 'book HAT271 for mia_li_3668', ['id HAT271', 'id mia_li_3668']],
    ['a URL without the full stop after it', 'at https://a.example/x?y=1.', ['url https://a.example/x?y=1']],
    ['an address', 'write to a.b@example.org', ['email a.b@example.org']],
    ['an error', 'it threw ENOENT and a TypeError', ['error ENOENT', 'error TypeError']],
    ['amounts, dates and shares', 'pay $1,200.50 by 2024-05-15, 12% off', ['number $1,200.50', 'number 2024-05-15', 'number 12%']],
    ['small numbers are no facts', 'take 2 of 17', []],
  ])('%s', (_what, text, expected) => {
    expect(found(userSays(text))).toEqual(expected);
  }); // prettier-ignore

  test("the user's constraint, word for word", () => {
    expect(found(userSays('Fix it. Never push to main.'))).toEqual(['constraint Never push to main.']);
  });

  test('the first line of what a shell was told', () => {
    expect(found(called('{"command":"npm test -- a\\nls"}'))).toEqual(['command npm test -- a']);
    expect(found(called('{"command":'))).toEqual([]);
  });

  test('numbers that a tool printed are not counted', () => {
    expect(found({ ...userSays('1234 rows of T12x'), role: 'tool' })).toEqual(['id T12x']);
  });

  test('12,000 characters of anything are read within a moment', () => {
    for (const text of [
      'a/'.repeat(9_000),
      '1,111'.repeat(9_000),
      'a@a.'.repeat(9_000),
      '_1'.repeat(9_000),
    ]) {
      const started = threadMs();
      factsIn(userSays(text));
      expect(threadMs() - started).toBeLessThan(2_000);
    }
  });
});

describe('a text says a value', () => {
  test.each([
    ['in its own words', 'Booked HAT271.', 'HAT271', true],
    ['over a line break', 'Never push\n to main.', 'Never push to main.', true],
    ['not as a part of another', 'T123 and XT12', 'T12', false],
    ['not in another case', 'hat271', 'HAT271', false],
    ['as the end of a longer path', 'in /repo/src/a.ts', 'src/a.ts', true],
  ])('%s', (_what, text, value, expected) => {
    expect(new SaidText(text).says(value)).toBe(expected);
  });
});

describe('the table of facts', () => {
  const id = (text: string) => [{ kind: 'id' as const, text }];

  test('gathers where a fact was said, the first few and how often', () => {
    const table = new FactTable();
    for (let seq = 1; seq <= 9; seq++) table.add(id('HAT271'), { seq, uses: 1, carried: seq === 7 });
    expect(table.byWeight()).toMatchObject([
      { text: 'HAT271', seqs: [1, 2, 3, 4, 5], count: 9, lastSeq: 9, carried: true },
    ]);
  });

  test('stays within its bound, forgets the lightest and says how many', () => {
    const table = new FactTable(100);
    for (let seq = 1; seq <= 1_000; seq++) table.add(id(`T${seq}x`), { seq, uses: 1, carried: false });
    table.add(id('often1'), { seq: 1_000, uses: 30, carried: false });
    const facts = table.byWeight();
    expect(facts.length).toBeLessThanOrEqual(100);
    expect(facts.length + table.forgotten).toBe(1_001);
    expect(facts[0]!.text).toBe('often1');
  });
});

test.each([
  ['- [217] user: "x"', [217]],
  ['Asked in #12 and (seq 14); see messages 3-7.', [3, 7, 12, 14]],
  ['Identifiers in use (last seq): HAT271 (1); mia_li_3668 (5)', [1, 5]],
  ['The error message: 104, an exit message 105, and the message: 106', [106]],
  ['Seven (7) things, array[0], colour #123456, [999]', []],
])('citations in %s', (text, seqs) => {
  expect(citationsIn(text, 300)).toEqual(seqs);
});
