import { diskBlobStore, grep, hashChunks, indexLines, type Position } from '@spillway/blobs';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

const start: Position = { line: 1, column: 0, offset: null };
let blobs = 0;

/** Searches a text or bytes to the end, following the cursor, and returns all matches and the number of calls. */
async function searched(
  content: string | Uint8Array,
  pattern: string,
  query: { limit?: number; context?: number; tokens?: number } = {},
) {
  const { limit = 200, context = 0, tokens = 20_000 } = query;
  const store = diskBlobStore(folder.path);
  const key = `p/blob-${blobs++}`;
  const bytes = Buffer.from(content);
  await store.write(key, bytes);
  const { marks, linesPerMark } = indexLines(bytes);
  const blob = { key, bytes: bytes.length, marks, linesPerMark, chunkHashes: hashChunks(bytes) };
  const matches = [];
  let calls = 0;
  for (let from: Position | null = start; from !== null;) {
    const result = await grep(store, blob, {
      pattern,
      ignoreCase: false,
      context,
      limit,
      shown: { tokens, count: (shown) => Math.ceil(shown.length / 4) },
      from,
      deadlineMs: 30_000,
    });
    matches.push(...result.matches);
    expect(result.truncated).toBe(result.next !== null);
    from = result.next;
    calls++;
  }
  return { matches, calls, bytes };
}

test.each([0, 1, 3])(
  'going on where a search stopped finds every match once, with %i lines around each',
  async (context) => {
    const lines = Array.from({ length: 40 }, (_, i) =>
      i % 3 === 0 || i > 30 ? `match ${i + 1}` : `line ${i + 1}`,
    );
    const { matches } = await searched(lines.join('\n'), 'match', { context, limit: 2 });
    expect(matches.map((match) => match.line)).toEqual(
      lines.flatMap((line, i) => (line.startsWith('match') ? [i + 1] : [])),
    );
  },
);

const rows = JSON.stringify(
  Array.from({ length: 60_000 }, (_, i) => ({
    id: i,
    name: `user${i}`,
    mail: `ü${i}@example.org`,
    note: 'x'.repeat(30),
  })),
);

test.each(['user0"', 'user100"', 'user5500"', 'user29999"', 'user59999"'])(
  'a match anywhere in a line of megabytes is found where it is: %s',
  async (word) => {
    const { matches, calls, bytes } = await searched(`first\n${rows}\nlast\n`, word);
    expect(calls).toBe(1);
    expect(matches).toHaveLength(1);
    const [{ line, column, offset, text }] = matches as [(typeof matches)[0]];
    expect(line).toBe(2);
    expect(bytes.subarray(offset, offset + word.length).toString()).toBe(word);
    expect([...rows].slice(column - 1, column - 1 + word.length).join('')).toBe(word);
    expect(text).toContain(word);
    expect(text.length).toBeLessThan(2_200);
  },
);

test('all matches of a long line are found, each once, over many calls', async () => {
  const marks = Array.from({ length: 700 }, (_, i) => `<mark${i}>${'ö'.repeat(5_000)}`);
  const { matches, calls } = await searched(marks.join(''), '<mark\\d+>', { limit: 50, tokens: 8_000 });
  expect(matches.map((match) => /<mark(\d+)>/.exec(match.text)![1])).toEqual(marks.map((_, i) => String(i)));
  expect(calls).toBeGreaterThan(10);
});

test('anchors and word boundaries hold at the ends of a long line, and nowhere within', async () => {
  const line = `start ${'word '.repeat(500_000)}end`;
  expect((await searched(line, '^start')).matches).toHaveLength(1);
  expect((await searched(line, '^word')).matches).toEqual([]);
  expect((await searched(line, 'word$')).matches).toEqual([]);
  expect((await searched(line, 'end$')).matches.map((match) => match.column)).toEqual([line.length - 2]);
  expect((await searched(line, '\\bord')).matches).toEqual([]);
});

test('what an answer shows is bounded in tokens', async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `match ${i} ${'x'.repeat(1_000)}`);
  const { matches, calls } = await searched(lines.join('\n'), 'match', { context: 2, tokens: 2_000 });
  expect(matches).toHaveLength(400);
  expect(calls).toBeGreaterThan(60);
});

test(
  'every line that holds the word is found, whatever the lines, the limit and the tokens',
  { tags: 'long' },
  async () => {
    const line = fc.oneof(
      fc.constantFrom('', 'needle', 'hay', '😀 needle 😀', 'needle needle'),
      fc.nat(200_000).map((n) => `${'ä'.repeat(n)}needle${'b'.repeat(70_000)}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 100, max: 3_000 }),
        async (lines, limit, tokens) => {
          const { matches, bytes } = await searched(lines.join('\n'), 'needle', {
            limit,
            tokens,
            context: 1,
          });
          const found = new Set(matches.map((match) => match.line));
          const expected = lines.flatMap((text, i) => (text.includes('needle') ? [i + 1] : []));
          expect([...found]).toEqual(expected);
          for (const { offset } of matches)
            expect(bytes.subarray(offset, offset + 6).toString()).toBe('needle');
        },
      ),
      { numRuns: 30 },
    );
  },
);

/** Bytes that are no UTF-8, in all the ways in which a sequence can break off, beside some that are. */
const broken = [
  'e9',
  '80',
  'e282',
  'f09080',
  'f0808080',
  'eda080',
  'ff',
  'c3',
  'efbfbd',
  'e282ac',
  'f09f9880',
  '0d',
];

test(
  'in bytes that are not UTF-8, every match is found at its byte and its column',
  { tags: 'long' },
  async () => {
    const part = fc.oneof(
      fc.constantFrom(...broken).map((hex) => Buffer.from(hex, 'hex')),
      fc.constantFrom('<needle>', 'x', '\n').map((text) => Buffer.from(text)),
      fc
        .tuple(fc.constantFrom(...broken), fc.nat(30_000))
        .map(([hex, n]) => Buffer.from(hex.repeat(n), 'hex')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (parts, limit) => {
          const { matches, bytes } = await searched(Buffer.concat(parts), '<needle>', { limit });
          const lines = bytes.toString().split('\n');
          const expected = lines.flatMap((text, i) => (text.includes('<needle>') ? [i + 1] : []));
          expect([...new Set(matches.map((match) => match.line))]).toEqual(expected);
          for (const { line, column, offset } of matches) {
            expect(bytes.subarray(offset, offset + 8).toString()).toBe('<needle>');
            expect([...lines[line - 1]!].slice(column - 1, column + 7).join('')).toBe('<needle>');
          }
        },
      ),
      { numRuns: 100 },
    );
  },
);

test('all matches of a long line of Latin-1 are found over many calls', async () => {
  const line = Array.from(
    { length: 400 },
    (_, i) => `NEEDLE${String(i).padStart(4, '0')}${'\xe9'.repeat(3_000)}`,
  );
  const { matches } = await searched(Buffer.from(line.join(''), 'latin1'), 'NEEDLE\\d+', { limit: 20 });
  expect(matches.map(({ offset }) => offset)).toEqual(line.map((_, i) => i * 3_010));
});
