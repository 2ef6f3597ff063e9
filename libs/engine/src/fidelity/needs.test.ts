import { describe, expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { IndexedText } from '../ledger/said-text.js';
import { saidIn } from './measured-values.js';
import { NeedFinder, usedValues } from './needs.js';

type Said = { role?: SeqMessage['role']; text?: string; call?: object };
const thread = (...messages: Said[]): SeqMessage[] =>
  messages.map(({ role = 'assistant', text = '', call }, i) => ({
    seq: i + 1,
    at: null,
    role,
    name: null,
    text,
    speech: text,
    calls: call ? [{ id: `c${i}`, name: 'refund', input: JSON.stringify(call) }] : [],
    results: [],
  }));

function needsOf(messages: SeqMessage[], fold: { toSeq: number; after: number; beside?: number[] }) {
  const isShown = ({ seq }: SeqMessage): boolean => seq > fold.toSeq || !!fold.beside?.includes(seq);
  const finder = new NeedFinder(usedValues(messages.filter(isShown), fold.after));
  for (const message of messages.toReversed()) if (!isShown(message)) finder.look(message);
  return finder.needs();
}

describe('a need', () => {
  test.each([
    ['NUL', 'https://files.example/a\0b'],
    ['a lone surrogate', 'https://files.example/a\ud800b'],
    ['a pair of surrogates at its largest length', `https://files.example/${'a'.repeat(185)}😀😀😀`],
    ['the same, one further', `https://files.example/${'a'.repeat(186)}😀😀😀`],
  ])('of an address with %s is a value that Postgres can store', (_what, url) => {
    const messages = thread(
      { text: `See ${url} please.` },
      { text: 'Yes.' },
      { text: `Reading ${url} now.` },
    );
    const values = needsOf(messages, { toSeq: 1, after: 2 }).map(({ value }) => value);
    expect(values).toContainEqual(expect.stringContaining('https://files.example/a'));
    for (const value of values)
      expect(value.isWellFormed() && !value.includes('\0'), JSON.stringify(value)).toBe(true);
  });

  test('is what the agent uses after a fold and last read in the folded messages, with its label and both seqs', () => {
    const messages = thread(
      { role: 'user', text: 'My order is ORD-7741X.' },
      { call: { order_id: 'ORD_7741' } },
      { text: 'Done.' },
      { text: 'Anything else?' },
      { call: { order_id: 'ORD_7741', amount: 12 } },
    );
    expect(needsOf(messages, { toSeq: 3, after: 4 })).toEqual([
      { value: 'ORD_7741', seq: 2, usedSeq: 5, label: 'order_id' },
    ]);
  });

  test('is none when a message beside the summary said it first, when it is new, or when the user said it', () => {
    const messages = thread(
      { role: 'user', text: 'Tickets T1001, T1002 and T1003.' },
      { text: 'I look at T1001.' },
      { role: 'tool', text: 'T1002 is open.' },
      { text: 'T1001 and T1002, and a new one: T2000.' },
      { role: 'user', text: 'And T1003?' },
      { text: 'T1003 too.' },
    );
    expect(needsOf(messages, { toSeq: 2, after: 3, beside: [2] })).toEqual([]);
    expect(needsOf(messages, { toSeq: 2, after: 3 })).toMatchObject([{ value: 'T1001', seq: 2, usedSeq: 4 }]);
  });

  test('the value that was used last comes first, each with the newest message that says it', () => {
    const messages = thread(
      { text: 'src/a.ts and src/b.ts' },
      { text: 'src/a.ts again' },
      { text: 'I open src/b.ts.' },
      { text: 'I open src/a.ts.' },
    );
    expect(needsOf(messages, { toSeq: 2, after: 2 }).map(({ value, seq }) => [value, seq])).toEqual([
      ['src/a.ts', 2],
      ['src/b.ts', 1],
    ]);
  });

  test('is not found in a longer value', () => {
    const messages = thread({ text: 'T10015' }, { text: 'I look at T1001.' });
    expect(needsOf(messages, { toSeq: 1, after: 1 })).toEqual([]);
  });
});

describe('very many values take linear time', () => {
  const ids = (first: number) => Array.from({ length: 20_000 }, (_, i) => `id${first + i}`).join(' ');

  test('where they are new, and where another message said them', () => {
    const messages = thread(
      { text: 'Begin.' },
      { role: 'tool', text: ids(500_000) },
      { text: ids(100_000) },
      { text: ids(500_000) },
    );
    let used: ReturnType<typeof usedValues> = [];
    expect(threadMsOf(() => (used = usedValues(messages, 1)))).toBeLessThan(2_000);
    expect(used.map(({ usedSeq }) => usedSeq)).toEqual(Array.from({ length: 20_000 }, () => 3));
  });

  test('where a folded message said them, each with its label', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `X${i}Y`);
    const folded = thread({ role: 'tool', text: JSON.stringify(values.map((order) => ({ order }))) });
    const finder = new NeedFinder(values.map((value) => ({ value, usedSeq: 9 })));
    expect(threadMsOf(() => finder.look(folded[0]!))).toBeLessThan(2_000);
    expect(finder.needs()).toHaveLength(20_000);
  });
});

test('a text that is asked often answers as one that is asked first', () => {
  const text = 'See src/a.ts:12, T10015 and T1001-B; é42 ./run A_1 x.y';
  const often = new IndexedText(text);
  for (let i = 0; i < 30; i++) often.says('nothing');
  for (const value of [
    'src/a.ts',
    'a.ts',
    'T1001',
    'T1001-B',
    '42',
    './run',
    'A_1',
    '_1',
    'x.y',
    'y',
    '-B',
    'B;',
    'é42',
  ])
    expect([value, often.says(value)]).toEqual([value, new IndexedText(text).says(value)]);
});

test('a message says the whole numbers of its calls as they were written', () => {
  const [message] = thread({ text: 'Refunding.', call: {} });
  const calls = [{ id: 'c', name: 'refund', input: '{"order": {"id": 72057594037927111}, "n": 7}' }];
  expect(saidIn({ ...message!, calls })).toBe('Refunding.\n72057594037927111\n7');
});
