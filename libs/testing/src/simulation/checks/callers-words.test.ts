import { expect, test } from 'vitest';
import type { SummaryRecord, ThreadTable } from '../memory/rows.js';
import { checkCallersWords, checkNoWordsWait } from './callers-words.js';

/** A summary by a compaction, in the chain of the caller's own that is generation 1. */
const summary = (generation: number, more: Partial<SummaryRecord> = {}): SummaryRecord => ({
  ...{ projectId: 'p', threadUid: 't', generation, chain: 1, fromSeq: 5, toSeq: 8, asOfSeq: 8, seenSeq: 0 },
  ...{ visibleFromSeq: 1, carried: [], clearedThrough: 0, fields: `${generation}`, text: '', tokens: 1 },
  ...{ tokensBefore: 2, tokensAfter: 1, method: 'llm', model: 'm', author: null, restoredFrom: null },
  ...{ replaces: generation - 1, undoneAt: null, withdrawnAt: null, rewoundBefore: 0, instructions: null },
  ...{ holds: null, fidelity: null, ...more },
});
const own = summary(1, { method: 'caller', author: 'key', fromSeq: 1, toSeq: 4, fields: 'own' });
const rebuilt = { chain: 2, fromSeq: 1 };

/** Checks a thread whose newest summary, by a compaction unless `isAsked`, is the active one. */
function check(summaries: SummaryRecord[], isAsked = false): void {
  const { generation } = summaries.at(-1)!;
  const attempts = isAsked ? [] : [{ outcome: 'compacted', generation }];
  checkCallersWords({ row: { generation }, summaries, attempts } as unknown as ThreadTable, () => 'here');
}

test.each<[string, SummaryRecord[]]>([
  ['a fold onto it', [own, summary(2), summary(3)]],
  ['a rebuild that goes on from it', [own, summary(2), summary(3, { ...rebuilt, restoredFrom: 1 })]],
  [
    'itself again',
    [own, summary(2), summary(3, { ...rebuilt, method: 'caller', fields: 'own', restoredFrom: 1 })],
  ],
  ['a rebuild after it was withdrawn', [{ ...own, withdrawnAt: 1 }, summary(2, rebuilt)]],
  ['a rebuild after it was undone', [{ ...own, undoneAt: 1 }, summary(2, { ...rebuilt, replaces: 0 })]],
])('what a caller wrote stays with %s', (_, summaries) => {
  expect(() => check(summaries)).not.toThrow();
});

test.each<[string, SummaryRecord[]]>([
  ['a rebuild of the messages alone', [own, summary(2, rebuilt)]],
  ['one after a fold onto it', [own, summary(2), summary(3, rebuilt)]],
  [
    'one after that fold was withdrawn',
    [own, summary(2, { withdrawnAt: 1 }), summary(3, { ...rebuilt, replaces: 0 })],
  ],
  [
    'one that goes on from an older summary',
    [
      own,
      summary(2, { ...own, generation: 2, chain: 3, fields: 'new' }),
      summary(3, { ...rebuilt, restoredFrom: 1 }),
    ],
  ],
])('what a caller wrote is lost with %s', (_, summaries) => {
  expect(() => check(summaries)).toThrow(/lost what a caller wrote/);
});

test('other words in the place of what a caller wrote are noticed', () => {
  const changed = summary(2, { ...rebuilt, method: 'caller', fields: 'other', restoredFrom: 1 });
  expect(() => check([own, changed])).toThrow(/changed what a caller wrote/);
});

test('a caller may put another summary in its place', () => {
  expect(() =>
    check([own, summary(2, { ...own, generation: 2, chain: 2, fields: 'new' })], true),
  ).not.toThrow();
});

test('at rest no words wait to be active again after what was folded onto them was withdrawn', () => {
  const row = { generation: 0, deletedAt: null, parkReason: null };
  const rest = (summaries: SummaryRecord[]) => () =>
    checkNoWordsWait({ row, summaries } as unknown as ThreadTable);
  expect(rest([own, summary(2, { withdrawnAt: 1 })])).toThrow(/left out what a caller wrote/);
  expect(rest([{ ...own, withdrawnAt: 1 }, summary(2, { withdrawnAt: 1 })])).not.toThrow();
  expect(rest([{ ...own, undoneAt: 1 }])).not.toThrow();
});
