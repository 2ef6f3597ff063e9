import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { outlineOf } from '../outline/outline.js';
import { loadCounter, type CountTokens } from '../../tokens/counter.js';
import { previewEnds } from './ends.js';
import { clipLine } from './lines/render-lines.js';
import { outputKinds, type OutputKind } from './preview.js';
import { previewOf } from './previews.js';
import { kindOf } from './sniff.js';
import { threadMs } from '../../../../../test/thread-time.js';

// The same cases each time; SPILLWAY_SEED chooses others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const room = { tokens: 600, headLines: 5, tailLines: 5 };

const people = Array.from({ length: 300 }, (_, i) => ({
  id: i,
  name: `Person ${i}`,
  tags: ['a', 'b'],
  address: { city: `City ${i}`, zip: i % 3 ? `${10_000 + i}` : null },
  ...(i % 2 ? { nickname: 'x' } : {}),
}));
const csv = [
  'id,name,joined,score',
  ...people.map((p) => `${p.id},"${p.name}, ""Jr""",2024-01-${10 + (p.id % 20)},${p.id / 2}`),
].join('\n');
const html = `<!doctype html><html><head><title>Guide &amp; more</title><style>p{}</style></head><body><nav><a>Menu</a></nav>
<main><h1>Install</h1><p>Run the installer first.</p><script>var x = "<p>";</script>
${'<p>More words about it, for a while.</p>\n'.repeat(20)}<h2>Configure</h2><p>Then edit the file.</p></main><footer>Imprint</footer></body></html>`;
const code = [
  'import { readFile } from "node:fs";',
  '',
  '/** Reads. */',
  'export class Reader {',
  ...Array.from(
    { length: 30 },
    (_, i) => `  async read${i}(path: string): Promise<string> {\n    return path + ${i};\n  }\n`,
  ),
  '}',
  '',
  'export function parse(text: string): number {',
  '  return Number(text);',
  '}',
].join('\n');
const diff = `commit 0123456789abcdef
Author: A <a@example.com>
Date:   Mon Jan 1 00:00:00 2024

    Make it faster

diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@ export class A {
 unchanged
-old line
+new line
+another line
diff --git a/src/b.ts b/src/b.ts
--- a/src/b.ts
+++ b/src/b.ts
@@ -10 +10 @@
-gone
+come
`;
const listing = Array.from(
  { length: 400 },
  (_, i) => `src/module${i % 20}/file${i}.${i % 3 ? 'ts' : 'css'}`,
).join('\n');
const grep = Array.from(
  { length: 120 },
  (_, i) => `src/file${i % 12}.ts:${i + 1}:  const answer = ${i};`,
).join('\n');
const psql = [
  ' id | name      | total ',
  '----+-----------+-------',
  ...Array.from({ length: 40 }, (_, i) => ` ${i}  | item ${i}    | ${i}.50`),
  '(40 rows)',
].join('\n');
const ps = [
  'USER       PID  %CPU  COMMAND',
  ...Array.from({ length: 40 }, (_, i) => `root      ${100 + i}   0.${i % 10}  worker-${i}`),
].join('\n');

const table: [what: string, text: string, kind: OutputKind, says: string[]][] = [
  [
    'JSON',
    JSON.stringify(people),
    'json',
    [
      'array of 300 items',
      '$[*].nickname: string (in 50 %)',
      '$[*].address.city: string',
      '$[0] = ',
      '"Person 0"',
      '297 items of $ not shown',
      '$[299] = ',
    ],
  ],
  [
    'pretty JSON',
    JSON.stringify({ data: people, next: null }, null, 2),
    'json',
    ['$.data: array of 300 items', '$.next: null', '$.data[299]'],
  ],
  [
    'JSON lines',
    people.map((p) => JSON.stringify(p)).join('\n'),
    'json',
    ['300 documents', '$[*].id: number'],
  ],
  [
    'CSV',
    csv,
    'table',
    [
      '300 rows, 4 columns',
      'id (int)',
      'joined (date)',
      'score (number)',
      'Person 0, "Jr"',
      '--- 290 rows not shown ---',
      'Person 299',
    ],
  ],
  ['a query result', psql, 'table', ['40 rows, 3 columns', 'id', 'item 0']],
  ['aligned columns', ps, 'table', ['40 rows, 4 columns', 'worker-39']],
  [
    'HTML',
    html,
    'html',
    ['Page: Guide & more', '# Install (line 2)', '## Configure', 'Run the installer first.'],
  ],
  ['source code', code, 'code', ['import { readFile }', 'export class Reader', 'export function parse']],
  [
    'a diff',
    diff,
    'diff',
    ['1 commit, 2 changed files, +3 -2', 'Make it faster', 'src/a.ts +2 -1', '+new line'],
  ],
  ['a listing', listing, 'listing', ['400 entries', '.ts 266', '.css 134', '--- 380 entries not shown ---']],
  [
    'search results',
    grep,
    'search',
    ['120 matches in 12 files', 'src/file0.ts (10 matches) 1: const answer = 0;'],
  ],
  ['prose', 'It was the best of times.\n'.repeat(400), 'text', ['--- 390 lines not shown ---']],
  [
    'code with line numbers',
    code
      .split('\n')
      .map((line, i) => `${i + 1}\t${line}`)
      .join('\n'),
    'code',
    ['export class Reader'],
  ],
  [
    'compiler errors',
    Array.from({ length: 40 }, (_, i) => `src/a${i}.ts(${i},3): error TS2322: Type 'a' is not 'b'.`).join(
      '\n',
    ),
    'log',
    ['src/a0.ts(0,3): error TS2322'],
  ],
];

test('a part of a file that raises errors is no log', () => {
  const lines = ['def mode_of(self, mode):', 'if mode == TRAIN:', 'self.mode = train', 'else:'];
  const raised = [...lines, "raise ValueError(f'unsupported mode: {mode}')", 'return self.mode'];
  const part = raised.map((line, i) => `   ${120 + i}\t        ${line}`).join('\n');
  expect(kindOf(`The file models.py has been edited:\n${part}`)).not.toBe('log');
});

describe.each(table)('%s', (_what, text, kind, says) => {
  test('is known for what it is, and its preview says what matters', () => {
    expect(kindOf(text)).toBe(kind);
    const preview = previewOf(text, room, count);
    expect(preview.kind).toBe(kind);
    for (const line of says) expect(preview.text).toContain(line);
    expect(count(preview.text)).toBeLessThanOrEqual(room.tokens);
  });
});

test.each(table)('%s: CRLF and a byte order mark change nothing of what is shown', (_what, text) => {
  const shown = previewOf(text, room, count);
  expect(previewOf(text.replaceAll('\n', '\r\n'), room, count)).toEqual(shown);
  expect(previewOf(`\ufeff${text}`, room, count)).toEqual(shown);
});

test('paths of JSON are written as they can be read', () => {
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, 'content-type': 'a', "it's": 1, 7: true }));
  const { text } = previewOf(JSON.stringify({ 'all rows': rows }), room, count);
  for (const path of [
    "$['all rows'][*].id: ",
    "['content-type']: ",
    "['it\\'s']: ",
    "['7']: ",
    "$['all rows'][19] = ",
  ])
    expect(text).toContain(path);
  expect(outlineOf(JSON.stringify({ a: { 'b.c': [{ d: 1 }] } }), 'json')).toEqual([
    { line: 1, depth: 0, label: '$: object of 1 key' },
    { line: 1, depth: 1, label: '$.a: object of 1 key' },
    { line: 1, depth: 2, label: "$.a['b.c']: array of 1 item" },
    { line: 1, depth: 4, label: "$.a['b.c'][*].d: number" },
  ]);
});

test.each([40, 3_000, 9_000])('the ends of a text of %i lines are its first and its last', (lines) => {
  const text = Array.from({ length: lines }, (_, i) => `line ${i}`).join('\n');
  const shown = previewEnds(text, lines, room, count).text.split('\n');
  expect(shown.slice(0, 5)).toEqual(['line 0', 'line 1', 'line 2', 'line 3', 'line 4']);
  expect(shown[5]).toBe(`--- ${(lines - 10).toLocaleString('en-US')} lines not shown ---`);
  expect(shown.at(-1)).toBe(`line ${lines - 1}`);
  expect(shown).toHaveLength(11);
});

test('the ends of a text on one very long line are its start and its end, without a number of what is between', () => {
  const { text } = previewEnds(`START ${'some words '.repeat(100_000)}ERROR: THE END`, 1, room, count);
  const [start, end, ...more] = text.split('\n');
  expect(start).toMatch(/^START some words .* \[\.\.\. more characters\]$/);
  expect(end).toMatch(/^\[more characters \.\.\.\] .*some words ERROR: THE END$/);
  expect(more).toEqual([]);
  expect(count(text)).toBeLessThanOrEqual(room.tokens);
});

test('of long lines at the ends of a text only those that were not read as a whole lack a number', () => {
  const long = 'some words '.repeat(10_000);
  const text = ['first', `second ${long}`, `third ${long}`, `fourth ${'w '.repeat(3_000)}`, 'last'].join(
    '\n',
  );
  const [first, second, third, fourth, last] = previewEnds(text, 5, room, count).text.split('\n');
  expect([first, last]).toEqual(['first', 'last']);
  expect(second).toMatch(/^second some words .* \[\.\.\. more characters\]$/);
  expect(third).toMatch(/^\[more characters \.\.\.\] .*some words $/);
  expect(fourth).toMatch(/^fourth w .* \[\.\.\. \d+ more characters\]$/);
});

test.each([0, 1, 5, 8, 12, 20, 40])(
  'the ends of a text are within %i tokens, however they are counted',
  async (tokens) => {
    const estimate = await loadCounter('estimate', 1);
    const text = 'one of the longer lines of a text\n'.repeat(50);
    for (const counted of [count, estimate])
      expect(counted(previewEnds(text, 50, { ...room, tokens }, counted).text)).toBeLessThanOrEqual(tokens);
  },
);

test.each([
  ['a cell', `a,b\n${`${'x'.repeat(59)}😀😀,2\n`.repeat(30)}`],
  ['a key of JSON', JSON.stringify({ [`${'x'.repeat(59)}😀😀`]: [1, 2, 3] })],
])('%s is cut between characters', (_what, text) => {
  expect(previewOf(text, room, count).text).not.toContain('\ufffd');
});

test.each([
  ['at its start', `${'x'.repeat(239)}${'😀'.repeat(100)}`],
  ['around a failure', `${'x'.repeat(169)}${'😀'.repeat(201)} fatal error: disk full ${'😀'.repeat(200)}`],
])('a long line is cut between characters %s', (_what, line) => {
  const shown = clipLine(line);
  expect(shown.length).toBeLessThan(line.length);
  expect(shown.isWellFormed()).toBe(true);
  expect(shown).not.toContain('\ufffd');
});

test('a bar within a cell of a Markdown table separates no columns', () => {
  const rows = Array.from({ length: 20 }, (_, i) => `| a \\| b | ${i} |`).join('\n');
  const { text } = previewOf(`| type | n |\n| --- | --- |\n${rows}`, room, count);
  expect(text).toContain('20 rows, 2 columns');
  expect(text).toContain('n (int)');
});

test('an odd item that is one value is shown as it is', () => {
  const names = [...Array.from({ length: 60 }, (_, i) => `file${i}.ts`), 'fatal: disk full'];
  expect(previewOf(JSON.stringify(names), room, count).text).toContain('\n$[60]: fatal: disk full');
});

test.each([
  ['CSV', 'id,"note"\n', (i: number) => `${i},x`],
  ['Markdown', '| id | note |\n| - | - |\n', (i: number) => `| ${i} | x |`],
  ['aligned columns', 'ID       NOTE   STATE\n', (i: number) => `${String(i).padEnd(9)}x      up`],
])('a table of 300,000 rows counts them all and shows its last ones: %s', (_what, head, row) => {
  const long = head + Array.from({ length: 300_000 }, (_, i) => row(i)).join('\n');
  const { text } = previewOf(long, room, count);
  expect(text).toContain('300,000 rows');
  expect(text).toContain('--- 299,990 rows not shown ---');
  expect(text.split('\n').at(-1)).toMatch(/^299999 \| x/);
});

test('every kind has a row above, so that one which no text is known for fails', () => {
  expect(new Set(table.map(([, , kind]) => kind))).toEqual(new Set(outputKinds));
});

test.each([
  ['HTML without navigation, scripts and imprint', html, ['Menu', 'var x', 'Imprint']],
  ['prose without a gap that is none', 'one\ntwo\nthree', ['not shown']],
  ['a short list without a gap that is none', '[{"a":1},{"a":2}]', ['not shown']],
])('%s', (_what, text, absent) => {
  const preview = previewOf(text, room, count);
  for (const line of absent) expect(preview.text).not.toContain(line);
});

test.each([
  ['broken JSON', '[{"a": 1}, {"b": '.repeat(500) + ']'],
  ['JSON nested deeper than any stack', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['HTML without text', '<html><head></head></html>'],
])('%s falls back to first and last lines', (_what, text) => {
  expect(previewOf(text, room, count).kind).toBe('text');
});

describe('an outline', () => {
  test.each<[OutputKind, string, object]>([
    ['code', code, { line: 4, label: 'export class Reader' }],
    ['html', html, { depth: 0, label: 'Install' }],
    ['diff', diff, { line: 7, label: 'src/a.ts +2 -1' }],
    ['table', csv, { label: 'joined (date)' }],
    ['json', JSON.stringify(people), { label: '$[*].name: string' }],
    ['text', '# Title\n\ntext\n\n## Part\n', { line: 5, depth: 1, label: 'Part' }],
  ])('of %s', (kind, text, item) => {
    expect(outlineOf(text, kind)).toContainEqual(expect.objectContaining(item));
  });
});

describe('whatever the text', () => {
  const samples = table.map(([, text]) => text.slice(0, 6_000));
  const mutated = fc
    .record({
      base: fc.constantFrom(...samples),
      from: fc.nat({ max: 6_000 }),
      length: fc.nat({ max: 400 }),
      junk: fc.string({ unit: 'binary', maxLength: 60 }),
    })
    .map(({ base, from, length, junk }) => base.slice(0, from) + junk + base.slice(from + length));
  const any = fc.oneof(
    mutated,
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.constantFrom(
      '\0'.repeat(500),
      '\ud800'.repeat(100),
      '<'.repeat(5_000),
      '"'.repeat(5_000),
      ','.repeat(5_000),
    ),
  );

  test('a preview is within its room, deterministic, and never throws; nor does an outline', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 50, max: 1_000 }), (text, tokens) => {
        const preview = previewOf(text, { ...room, tokens }, count);
        expect(count(preview.text)).toBeLessThanOrEqual(tokens);
        expect(preview).toEqual(previewOf(text, { ...room, tokens }, count));
        for (const kind of outputKinds) outlineOf(text, kind);
      }),
      { numRuns: 400 },
    );
  });

  test.each([0, 1, 5, 8, 12, 20, 40])('a preview of %i tokens ends, within them', (tokens) => {
    const logger = people.map(({ id }) => JSON.stringify({ level: 'info', time: id, msg: `step ${id}` }));
    const failing = 'step\n'.repeat(200) + 'one line unlike the others, fatal\n' + 'step\n'.repeat(20);
    for (const text of [...samples, logger.join('\n'), failing])
      expect(count(previewOf(text, { ...room, tokens }, count).text)).toBeLessThanOrEqual(tokens);
  });

  test.each([
    '<',
    '<a ',
    '<p>x',
    '<p a="',
    '<p a="x>',
    '"',
    '[',
    ',',
    '|',
    'a:1:',
    '&amp',
    ' ',
    '\n',
    'x',
    '{"a":',
  ])('1 MB of %j takes time in proportion', (piece) => {
    // The minimum of three, in time of this thread: other load on the machine counts little. One is enough when it
    // is below the limit of any text.
    const msOf = (bytes: number, enough: number): number => {
      const text = piece.repeat(Math.ceil(bytes / piece.length));
      let ms = Infinity;
      for (let attempt = 0; attempt < 3 && ms >= enough; attempt++) {
        const started = threadMs();
        previewOf(text, room, count);
        ms = Math.min(ms, threadMs() - started);
      }
      return ms;
    };
    // Eight times the text: about 8 in proportion, 64 if every part were read for every other.
    const factor = 24;
    const large = msOf(1_000_000, factor * 10);
    const small = large < factor * 10 ? 10 : Math.max(10, msOf(125_000, 10));
    expect(large).toBeLessThan(factor * small);
  });
});
