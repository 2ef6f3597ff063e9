import { candidateOf, isInNone, noFloor, rankCandidates, searchTerms } from '@spillway/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchPosition } from './search-cursor.js';
import { readSearchCursor, writeSearchCursor } from './search-cursor.js';
import { compareHits, type Found, type HitPlace } from './search-hit.js';
import { searchRange, type FoundMessage, type SearchPage } from './search-range.js';

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
    from: i + 1,
    isAskedFor: true,
    text,
  }));
  return [{ seq, role: 'user', output: null, from: 1, isAskedFor: true, text }, ...inOutput];
};
const position = ({ seq, output }: HitPlace) => `${seq}:${output?.line ?? ''}`;

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
  const id = { threadUid: 'one', asked: [terms.whole], terms: terms.terms.length };
  const pages: SearchPage[] = [];
  let next: SearchPosition | null = { through: messages.length, floor: noFloor(terms), within: null };
  while (next) {
    const page: SearchPage = await searchRange(slices, next, { terms, limit, oldest: 1 }, clock);
    pages.push(page);
    if (pages.length > 1_000) throw new Error('the cursor does not get on');
    next = page.next && readSearchCursor(id, writeSearchCursor(id, page.next));
  }
  return pages;
}

const queries = fc.constantFrom('disk full', 'user', 'ok disk user', '"full user" ok', 'which disk is full?');

test('following the cursor of a search finds every hit exactly once, wherever time runs out', async () => {
  const options = fc.record({
    limit: fc.integer({ min: 1, max: 7 }),
    sliceSize: fc.integer({ min: 1, max: 9 }),
    msPerMessage: fc.constantFrom(1, 4, 11),
  });
  await fc.assert(
    fc.asyncProperty(thread, queries, options, async (messages, q, o) => {
      const terms = searchTerms(q);
      const hits = (await everyPage(messages, terms, o)).flatMap((page) => page.hits);
      const every = everyHit(messages, terms, terms.isQuestion ? 0 : undefined);
      const positions = hits.map(position);
      expect(new Set(positions).size).toBe(positions.length);
      const required = hits.reduce((most, { level }) => Math.max(most, Math.min(2, level)), 0);
      const missing = every.filter((hit) => hit.level >= required && !positions.includes(position(hit)));
      expect(missing.map(position)).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test('the pages of a search are one list in one order, whatever their size', async () => {
  const options = fc.record({
    limit: fc.integer({ min: 1, max: 7 }),
    sliceSize: fc.integer({ min: 1, max: 9 }),
    msPerMessage: fc.constant(0),
  });
  await fc.assert(
    fc.asyncProperty(thread, queries, options, async (messages, q, o) => {
      const terms = searchTerms(q);
      const hits = (await everyPage(messages, terms, o)).flatMap((page) => page.hits);
      expect(hits.map(position)).toEqual(everyHit(messages, terms).map(position));
      const [one] = await everyPage(messages, terms, { ...o, limit: 1_000 });
      expect(hits).toEqual(one!.hits);
    }),
    { numRuns: 400 },
  );
});

/** All hits of a thread as one range, best first. */
function everyHit(
  messages: readonly { text: string; lines: string[] }[],
  terms: ReturnType<typeof searchTerms>,
  minLevel?: 0,
) {
  const candidates = messages
    .flatMap((_, i) => foundIn(messages, i + 1))
    .map((found) => ({ ...found, ...candidateOf(found, terms) }))
    .filter(({ counts }) => !isInNone(counts));
  const asked = minLevel === 0 ? { ...terms, isQuestion: true } : terms;
  const { hits } = rankCandidates(candidates, asked, { texts: messages.length, floor: noFloor(terms) });
  return hits.sort(compareHits);
}

test('a search says that it is cut short until its last range', async () => {
  const messages = Array.from({ length: 40 }, () => ({ text: 'disk', lines: [] }));
  const pages = await everyPage(messages, searchTerms('disk'), { limit: 5, sliceSize: 4, msPerMessage: 1 });
  const older = pages.map(({ next }) => next !== null && next.within?.from !== 1);
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
  const terms = searchTerms('disk');
  const statistics = { texts: 9, length: 1, found: [1], strict: [false], minLevel: 0 as const };
  const after = { level: 2 as const, score: 1, seq: 9, output: null };
  const position = { through: 9, floor: noFloor(terms), within: { from: 1, statistics, after } };
  await expect(searchRange(slices, position, { terms, limit: 5, oldest: 1 }, clock)).rejects.toMatchObject({
    code: 'search_timeout',
  });
});
