import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { threadMsOf } from '../../../../../test/thread-time.js';
import { loadCounter, type CountTokens } from '../../tokens/counter.js';
import { previewOf } from './previews.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const room = { tokens: 600, headLines: 5, tailLines: 5 };
const show = (text: string): string => {
  const preview = previewOf(text, room, count);
  expect(count(preview.text)).toBeLessThanOrEqual(room.tokens);
  return preview.text;
};
const flat = (text: string): string => text.replace(/\s+/g, ' ');

/** The parts of which lines are made: words that stay, and values that change from line to line. */
const words = 'job cart order loaded request copied batch node sync item total page from to of done ok'.split(
  ' ',
);
const names =
  'cart,order,ledger,price,stock,refund,coupon,parcel,token,session,tenant,queue,mailer,router'.split(',');
type Slot = (random: (n: number) => number) => string;
const letters = (random: (n: number) => number): string =>
  Array.from({ length: 3 + random(6) }, () => String.fromCharCode(97 + random(26))).join('');
const slots: Slot[] = [
  (random) => String(random(100_000)),
  letters,
  (random) => `${letters(random)}/${letters(random)}.ts`,
  (random) => `"${letters(random)} ${letters(random)}"`,
  (random) => random(2 ** 30).toString(16),
  (random) => `${letters(random)}=${random(100)}`,
  // What goes well, in words that speak of failures, and words of a few.
  () => 'failed=0',
  (random) => `${random(3)} retries`,
  (random) => ['ok', 'OK', 'done', '200', 'pass'][random(5)]!,
  (random) => names[random(names.length)]!,
  (random) => `"${names[random(names.length)]!} ${random(2 ** 30).toString(36)}"`,
];
const failures = [
  'ERROR: connection to db-%d refused',
  'job %d failed',
  'fatal: could not read from %d',
  'panic: index %d out of range',
  'cannot open part %d',
  'permission denied for user %d',
  'timeout after %d ms',
  'process %d exited with code 1',
  '%d items were lost',
  'assertion broken at %d',
  'checksum mismatch in block %d',
  'worker %d crashed',
  'HTTP 503 from upstream %d',
  '%d NOT OK',
  'lease of shard %d was not renewed in time',
  'mail to customer %d bounced',
  'replica %d is 4 hours behind',
  'temperature of core %d above threshold',
  'quota of tenant %d used up',
  'malformed record %d',
  'Fehler beim Lesen von Block %d',
  'impossible de lire le fichier %d',
  'no se pudo abrir el puerto %d',
  'ошибка записи блока %d',
  'ファイル %d を開けません',
  '无法连接到节点 %d',
];
const wraps: [name: string, wrap: (line: string, i: number) => string][] = [
  ['as it is', (line) => line],
  ['with times', (line, i) => `2026-11-22T10:00:${String(i % 60).padStart(2, '0')}.120Z ${line}`],
  ['of a pod', (line) => `[pod/api-7d9c6b5f4-x2x9z/app] ${line}`],
  ['in colours', (line) => `\u001b[3${line.length % 8}m${line}\u001b[0m`],
  ['as JSON lines', (line, i) => JSON.stringify({ level: 'info', time: i, msg: line })],
];

const madeText = fc.record({
  templates: fc.array(
    fc.record({
      parts: fc.array(fc.oneof(fc.constantFrom(...words), fc.constantFrom(...slots)), {
        minLength: 2,
        maxLength: 9,
        size: 'max',
      }),
      separator: fc.constantFrom(' ', ' ', ', ', ' | ', '\t'),
      // Some shapes have many lines and some have few, as statements of a program do.
      weight: fc.integer({ min: 1, max: 20 }),
    }),
    { minLength: 1, maxLength: 20, size: 'max' },
  ),
  size: fc.constantFrom(40, 150, 600, 1_500),
  failure: fc.constantFrom(...failures),
  number: fc.integer({ min: 1_000, max: 9_999 }),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

describe('in a text whose lines follow at most 20 shapes', () => {
  test.each(wraps)('a line of another shape that tells of a failure is in the stub, %s', (_name, wrap) => {
    fc.assert(
      fc.property(madeText, ({ templates, size, failure, number, place, seed }) => {
        let state = seed;
        const random = (n: number): number => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return Math.floor((state / 4_294_967_296) * n);
        };
        const drawn = templates.flatMap((one) => Array.from({ length: one.weight }, () => one));
        const lines = Array.from({ length: size }, () => {
          const { parts, separator } = drawn[random(drawn.length)]!;
          return parts.map((part) => (typeof part === 'string' ? part : part(random))).join(separator);
        });
        const odd = failure.replace('%d', String(number));
        lines.splice(Math.floor(place * size), 0, odd);
        expect(flat(show(lines.map(wrap).join('\n')))).toContain(odd);
      }),
      { numRuns: 60 },
    );
  });
});

const many = (line: (i: number) => string, odd: string): string =>
  [
    ...Array.from({ length: 700 }, (_, i) => line(i)),
    odd,
    ...Array.from({ length: 500 }, (_, i) => line(701 + i)),
  ].join('\n');

describe('no kind hides its one odd line', () => {
  test.each<[kind: string, of: string, text: string, shows: string[]]>([
    [
      'log',
      'a table of times',
      many(
        (i) =>
          `2026-11-22 10:00:${10 + (i % 50)}   INFO    worker-${i % 9}     shop-service     finished job ${i}`,
        '2026-11-22 10:00:59   ERROR   worker-3     ledger-service   job 88 gave up: connection reset',
      ),
      ['job 88 gave up'],
    ],
    [
      'text',
      'assets of a bundler',
      many((i) => `  asset part-${i}.js ${i} KiB [emitted]`, 'WARN! ./src/total.ts:42 was left out'),
      ['./src/total.ts:42', '--- lines 6-'],
    ],
    [
      'table',
      'rows',
      `id,name,state\n${many((i) => `${i},cart,ok`, '700,ledger,failed: shard 3 is read-only')}`,
      ['702: 700,ledger,failed: shard 3'],
    ],
    [
      'table',
      'rows whose cells have another type',
      `id,name,total\n${many((i) => `${i},cart,${i}.5`, '700,ledger,#REF!')}`,
      ['702: 700,ledger,#REF!'],
    ],
    [
      'json',
      'items of a list',
      `[${many((i) => `{"id":${i},"state":"ok","error":null},`, '{"id":700,"state":"ok","error":"shard 3 is read-only"},')}{"id":1,"state":"ok","error":null}]`,
      ['$[700]: id=700', 'error=shard 3 is read-only'],
    ],
    [
      'json',
      'documents with exit codes',
      many((i) => `{"step":"s${i}","exit_code":0}`, '{"step":"publish","exit_code":3}'),
      ['publish', 'exit_code=3'],
    ],
    [
      'json',
      'messages of a logger',
      many(
        (i) => `{"level":30,"time":${i},"msg":"served ${i}"}`,
        '{"level":50,"time":1,"err":{"message":"balance is undefined"},"msg":"request errored"}',
      ),
      ['ERROR request errored', 'balance is undefined'],
    ],
    [
      'listing',
      'paths',
      many((i) => `src/part${i % 30}/file${i}.ts`, 'find: ./src/secrets: Permission denied'),
      ['701: find: ./src/secrets: Permission denied'],
    ],
    [
      'search',
      'matches',
      many((i) => `src/a${i % 9}.ts:${i}:  const total = ${i};`, 'grep: src/locked.ts: Permission denied'),
      ['701: grep: src/locked.ts: Permission denied'],
    ],
    [
      'html',
      'rows of a page',
      `<!doctype html><html><body><h1>Checks</h1><table>\n${many((i) => `<tr><td>check ${i}</td><td>passed</td></tr>`, '<tr><td>ledger</td><td>failed: shard 3</td></tr>')}\n</table></body></html>`,
      ['line 702: ledger | failed: shard 3'],
    ],
    [
      'diff',
      'changes',
      many(
        (i) => (i % 7 === 0 ? `diff --git a/src/m${i}.ts b/src/m${i}.ts\n@@ -1 +1 @@` : `+new ${i}`),
        'error: patch failed: src/ledger.ts:12',
      ),
      ['error: patch failed: src/ledger.ts:12'],
    ],
    [
      'code',
      'sources',
      many(
        (i) => `export function f${i}(a: number): number {\n  return a + ${i};\n}`,
        'cat: src/rounding.ts: No such file or directory',
      ),
      ['cat: src/rounding.ts: No such file or directory'],
    ],
  ])('%s: %s', (kind, _of, text, shows) => {
    expect(previewOf(text, room, count).kind).toBe(kind);
    for (const line of shows) expect(show(text)).toContain(line);
  });
});

test.each([
  'lease of shard 2091 was not renewed in time',
  'Fehler beim Lesen von Block 2091',
  'ファイル 2091 を開けません',
])('a sentence of its own is odd, where lines of many shapes say that nothing failed: %s', (odd) => {
  const name = (i: number): string => names[i % names.length]!;
  const lines = Array.from({ length: 301 }, (_, i) => {
    const n = (i * 2_654_435_761) % 99_991;
    if (i % 26 === 3) return `failed=0, job, ${n.toString(16)}, failed=0, ok, queue, ${n}`;
    if (i % 4 === 0) return `copied order ${i % 3} retries "${name(n)} ${n}" stored`;
    if (i % 4 === 1) return `sync ok ${name(n)} ${n.toString(16)} batch [${name(i * 5)}] ${name(i * 3)}`;
    return i % 4 === 2 ? `${n}\t${i % 24}:${10 + (i % 50)}\t[${name(n)}]` : `${name(i * 7)} | pass | ${n}`;
  });
  lines.splice(194, 0, odd);
  expect(show(lines.join('\n'))).toContain(odd);
});

test.each([
  [
    'a linter that names levels',
    (i: number) => `roles/a${i % 9}/main.yml:${i}:80: [warning] line too long (line-length)`,
    "roles/web/main.yml:31:1: [error] found character '\\t' that cannot start any token",
  ],
  ['a clock', (i: number) => `07:0${i % 10}:11 stored part ${i}`, '07:09:41 part 311 differs from its copy'],
])('what looks like matches of a search is none: %s', (_what, line, odd) => {
  expect(previewOf(many(line, odd), room, count).kind).not.toBe('search');
  expect(show(many(line, odd))).toContain(odd.slice(9));
});

test.each([
  [
    'the greatest',
    (i: number) => `/dev/vg-${i}  912G  ${100 + i}G  ${20 + (i % 50)}%  /srv/${i}`,
    '/dev/vg-ledger  912G  900G  100%  /srv/ledger',
  ],
  [
    'the least',
    (i: number) => `src/part${i}.py  ${200 + i}  ${i % 4}  ${96 + (i % 4)}%`,
    'src/reversal.py  188  171  9%',
  ],
])('a row whose number is far from all others of its column is unlike the rest: %s', (_which, row, far) => {
  const rows = Array.from({ length: 300 }, (_, i) => row(i));
  rows.splice(180, 0, far);
  const text = `Name             Size   Used   Use%   Place\n${rows.join('\n')}`;
  expect(previewOf(text, room, count).kind).toBe('table');
  expect(show(text)).toContain(`182: ${far}`);
});

test('items within a report of few runs are items', () => {
  const results = Array.from({ length: 300 }, (_, i) => ({ level: 'note', text: `unused ${i}`, line: i }));
  results.splice(200, 0, { level: 'error', text: 'query built from a value of the user', line: 88 });
  const shown = show(JSON.stringify({ version: 1, runs: [{ tool: 'scan', results }] }));
  expect(shown).toContain('$.runs[0].results[200]: level=error, text=query built from a value of the user');
});

describe('what is put around lines does not hide what they say', () => {
  test('a progress bar that is written over', () => {
    const text = many(
      (i) => `[####----] ${i % 100}%\r        \rcopied ${i}\r[####----] ${i % 100}%\r`,
      '[####----] 9%\r        \rcannot copy part 700\r[####----] 9%\r',
    );
    expect(show(text)).toContain('cannot copy part 700');
    expect(show(text)).not.toContain('####');
  });

  test('CSV that starts with times keeps them', () => {
    const text = `time,value\n${Array.from({ length: 300 }, (_, i) => `2026-11-22T10:00:00Z,${i}`).join('\n')}`;
    expect(show(text)).toContain('time (date)');
  });
});

test('every line that a stub of text calls not shown is not shown, and every other one is', () => {
  const lines = many((i) => `part ${i} of the tale`, 'the crane broke').split('\n');
  let next = 0;
  for (const line of show(lines.join('\n')).split('\n')) {
    const gap = /^--- lines? (\d+)(?:-(\d+))? not shown/.exec(line);
    if (gap) expect(Number(gap[1])).toBe(next + 1);
    else expect(line).toBe(lines[next]);
    next = gap ? Number(gap[2] ?? gap[1]) : next + 1;
  }
  expect(next).toBe(lines.length);
});

/** As many as an output may have are tried in the long run. */
const mebibytes = process.env.SPILLWAY_SIZES === 'full' ? 8 : 2;

describe('time is in proportion to the text: seconds for the largest', () => {
  const size = mebibytes * 1024 * 1024;
  const filled = (line: (i: number) => string): string => {
    const lines: string[] = [];
    for (let i = 0, length = 0; length < size; length += lines[i++]!.length + 1) lines.push(line(i));
    return lines.join('\n');
  };
  test.each<[what: string, make: () => string]>([
    [
      'a shape a line',
      () => filled((i) => `${(i * 2_654_435_761).toString(36).replace(/\d/g, ' x')} ${'ab'.repeat(i % 40)}`),
    ],
    ['one line', () => 'error: '.repeat(size / 7)],
    ['a failure a line', () => filled((i) => `ERROR job ${i} failed: cannot connect to db-${i}`)],
    ['a letter a line', () => 'a\n'.repeat(size / 2)],
    ['a carriage return a line', () => 'ab 5%\rx\n'.repeat(size / 8)],
    ['a document a line', () => filled((i) => JSON.stringify({ level: 'info', time: i, msg: `job ${i}` }))],
  ])('%s', (_what, make) => {
    const text = make();
    expect(threadMsOf(() => show(text))).toBeLessThan(2_000 * mebibytes);
  });
});
