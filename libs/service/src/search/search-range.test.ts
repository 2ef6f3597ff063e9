import { searchScore, searchTerms } from '@spillway/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchPosition } from './search-cursor.js';
import { compareHits, type Found, type HitRank } from './search-hit.js';
import { searchRange, type FoundMessage } from './search-range.js';

const word = fc.constantFrom('disk', 'full', 'user', 'ok');
const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const thread = fc.array(fc.record({ text: line, lines: fc.array(line, { maxLength: 3 }) }), {
  maxLength: 40,
});

const foundIn = (messages: readonly { text: string; lines: string[] }[], seq: number): Found[] => {
  const { text, lines } = messages[seq - 1]!;
  const inOutput = lines.map((text, i) => ({
    seq,
    role: 'tool',
    output: { id: 'o', line: i + 1, column: 1 },
    text,
  }));
  return [{ seq, role: 'user', output: null, text }, ...inOutput];
};
const position = ({ seq, output }: Pick<HitRank, 'seq' | 'output'>) => `${seq}:${output?.line ?? ''}`;

/** Follows the cursor to its end, with a clock that ends ranges at random. */
async function everyPage(
  messages: readonly { text: string; lines: string[] }[],
  terms: ReturnType<typeof searchTerms>,
  { limit, sliceSize, msPerMessage }: { limit: number; sliceSize: number; msPerMessage: number },
) {
  let now = 0;
  const clock = { now: () => now, rangeMs: 10, maxMs: 1_000_000 };
  const slices = (end: number, through: number) => {
    const from = Math.max(end, through - sliceSize + 1);
    async function* newestFirst(): AsyncGenerator<FoundMessage> {
      for (let seq = through; seq >= from; seq--) {
        now += msPerMessage;
        yield await Promise.resolve({ seq, found: foundIn(messages, seq), cut: false });
      }
    }
    return Promise.resolve({ from, messages: newestFirst() });
  };
  const pages = [];
  let next: SearchPosition | null = { through: messages.length, from: null, minScore: 1, after: null };
  while (next) {
    const page = await searchRange(slices, next, { terms, limit }, clock);
    pages.push(page);
    if (pages.length > 1_000) throw new Error('the cursor does not get on');
    next = page.next;
  }
  return pages;
}

test('following the cursor of a search finds every hit exactly once, wherever time runs out', async () => {
  const options = fc.record({
    limit: fc.integer({ min: 1, max: 7 }),
    sliceSize: fc.integer({ min: 1, max: 9 }),
    msPerMessage: fc.constantFrom(0, 1, 4, 11),
  });
  await fc.assert(
    fc.asyncProperty(
      thread,
      fc.constantFrom('disk full', 'user', 'ok disk user'),
      options,
      async (messages, q, o) => {
        const terms = searchTerms(q);
        const pages = await everyPage(messages, terms, o);
        const hits = pages.flatMap((page) => page.hits);
        const every = messages
          .flatMap((_, i) => foundIn(messages, i + 1))
          .map((found) => ({ ...found, score: searchScore(found.text, terms) }))
          .filter(({ score }) => score > 0);
        const positions = hits.map(position);
        expect(new Set(positions).size).toBe(positions.length);
        const required = every.some(({ score }) => score >= terms.parts.length) ? terms.parts.length : 1;
        const missing = every.filter((hit) => hit.score >= required && !positions.includes(position(hit)));
        expect(missing).toEqual([]);
        expect(positions.filter((found) => !every.some((hit) => position(hit) === found))).toEqual([]);
        if (o.msPerMessage > 0) return;
        // Without a timeout the hits come in one order, whatever the page size, and the first page holds only whole
        // matches when there are enough of them.
        const whole = every.filter(({ score }) => score > terms.parts.length).sort(compareHits);
        const isWhole = (found: string) => whole.some((hit) => position(hit) === found);
        expect(positions.filter(isWhole)).toEqual(whole.map(position));
        const first = pages[0]!.hits.map(position);
        if (whole.length >= o.limit) expect(first).toEqual(whole.slice(0, o.limit).map(position));
      },
    ),
    { numRuns: 500 },
  );
});

test('a search says that it is cut short until its last range', async () => {
  const messages = Array.from({ length: 40 }, () => ({ text: 'disk', lines: [] }));
  const pages = await everyPage(messages, searchTerms('disk'), { limit: 5, sliceSize: 4, msPerMessage: 1 });
  const older = pages.map(({ next }) => next !== null && next.from !== 1);
  expect(older.filter(Boolean).length).toBeGreaterThan(4);
  expect(pages.map(({ truncated }) => truncated)).toEqual(older);
  expect(pages.at(-1)).toMatchObject({ next: null, truncated: false });
});

test('a search of a range that takes far longer than before is refused with search_timeout', async () => {
  let now = 0;
  const clock = { now: () => (now += 600), rangeMs: 1, maxMs: 1_000 };
  async function* messages(): AsyncGenerator<FoundMessage> {
    for (let seq = 9; seq > 0; seq--) yield await Promise.resolve({ seq, found: [], cut: false });
  }
  const slices = () => Promise.resolve({ from: 1, messages: messages() });
  const position = { through: 9, from: 1, minScore: 1, after: null };
  await expect(
    searchRange(slices, position, { terms: searchTerms('disk'), limit: 5 }, clock),
  ).rejects.toMatchObject({
    code: 'search_timeout',
  });
});
