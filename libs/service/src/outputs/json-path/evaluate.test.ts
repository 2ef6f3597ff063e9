import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluatePath } from './evaluate.js';

function evaluate(document: unknown, path: string, task: Partial<Parameters<typeof evaluatePath>[0]> = {}) {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const rest = { first: 1, last: 1_000, fromColumn: 0, maxCharacters: 100_000 };
  const result = evaluatePath({ bytes: Buffer.from(text), path, ...rest, ...task });
  return 'problem' in result ? result.problem : result;
}
function texts(document: unknown, path: string, task = {}): string[] | string {
  const result = evaluate(document, path, task);
  return typeof result === 'string' ? result : result.matches.map(({ text }) => text);
}

const shop = { books: [{ t: 'a', p: 8 }, { t: 'b', p: 13 }, { t: 'c', p: 9 }] }; // prettier-ignore

test.each([
  ['$.books[1].t', ['"b"']],
  ['$.books[-1]', ['{"t":"c","p":9}']],
  ['$.books[?@.p < 10].t', ['"a"', '"c"']],
  ['$.books[0:2].p', ['8', '13']],
  ['$..p', ['8', '13', '9']],
  ["$['books'][0]['t']", ['"a"']],
  ['$.books[?search(@.t, "[bc]")].p', ['13', '9']],
  ['$.nothing', []],
  ['$.books.length', []],
  ['$', [JSON.stringify(shop)]],
])('%s', (path, expected) => {
  expect(texts(shop, path)).toEqual(expected);
});

test.each(['', 'books', '$.', '$[', '$..', '$[?', '$.books[?(@.p < )]', '$.a b', '$[01]'])(
  '%j is no path',
  (path) => {
    expect(evaluate(shop, path)).toBe('invalid_path');
  },
);

test.each(['', 'text', '{"a": 1', '[1,]', '12', '"text"', '{"a":1}\ntext', '[1] [2]'])(
  '%j is no JSON',
  (text) => {
    expect(evaluate(text, '$')).toBe('not_json');
  },
);

test('JSON lines are one list, without empty lines', () => {
  const lines = '{"n":1}\n\n[2]\n{"n":3}\n';
  expect(texts(lines, '$[2].n')).toEqual(['3']);
  expect(texts(lines, '$[*]')).toEqual(['{"n":1}', '[2]', '{"n":3}']);
});

test('each match has its normalized path, whatever is in a name', () => {
  const names = ["it's", 'a\\b', 'line\nbreak', 'ü😀', '\u0001', '__proto__', '"'];
  const text = `{${names.map((name, i) => `${JSON.stringify(name)}: ${i + 1}${'0'.repeat(20)}1`).join(',')}}`;
  const result = evaluate(text, '$.*');
  if (typeof result === 'string') throw new Error(result);
  expect(result.matches.map(({ path }) => path)).toEqual([
    "$['it\\'s']",
    "$['a\\\\b']",
    "$['line\\nbreak']",
    "$['ü😀']",
    "$['\\u0001']",
    "$['__proto__']",
    `$['"']`,
  ]);
  // Each value is found under its name, with its number as it was written.
  expect(texts(text, '$.*')).toEqual(names.map((_, i) => `${i + 1}${'0'.repeat(20)}1`));
});

test('numbers that a double cannot hold come as they are written', () => {
  const text =
    '{"id": 12345678901234567890, "list": [1e400, 0.1234567890123456789, 1.50, -0.5e-3], "n": {"id": 9007199254740993}}';
  expect(texts(text, '$.id')).toEqual(['12345678901234567890']);
  expect(texts(text, '$.list[0:2]')).toEqual(['1e400', '0.1234567890123456789']);
  expect(texts(text, '$.n')).toEqual(['{"id":9007199254740993}']);
  expect(texts(text, '$.list[2:]')).toEqual(['1.50', '-0.5e-3']);
  expect(texts(text, '$')).toEqual([
    '{"id":12345678901234567890,"list":[1e400,0.1234567890123456789,1.50,-0.5e-3],"n":{"id":9007199254740993}}',
  ]);
});

test.each([
  ['1.0', '1e2', '0.10', '-0', '1E-7', '-0.0', '1e+2', '0e0', '1.50', '2.00'],
  ['1000000000000000000000', '0.0000001', '-0.00000012', '100', '-1', '0.5', '1e21', '1e-7', '0'],
])('%s and other numbers are returned as written, each alone in a document and all in one', (...numbers) => {
  for (const number of numbers) {
    expect(texts(`[${number}]`, '$[0]')).toEqual([number]);
    expect(texts(`{"a": ${number} ,"b":[\n${number}\n]}`, '$')).toEqual([`{"a":${number},"b":[${number}]}`]);
  }
  expect(texts(`[${numbers.join(', ')}]`, '$[*]')).toEqual(numbers);
});

const digits = fc.stringMatching(/^\d{1,19}$/);
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,19}$/)),
    fc.option(digits, { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,3}$/), { nil: undefined }),
  )
  .map(
    ([sign, whole, part, power]) => `${sign}${whole}${part === undefined ? '' : `.${part}`}${power ?? ''}`,
  );

test('every number that JSON allows is returned as written', () => {
  fc.assert(
    fc.property(numberText, (number) => {
      expect(texts(`{"n":${number}}`, '$.n')).toEqual([number]);
      expect(texts(`[[${number}]]`, '$[0]')).toEqual([`[${number}]`]);
    }),
    { numRuns: 2_000 },
  );
});

test('only the matches that are wanted are given, up to so many characters, and all are counted', () => {
  const list = Array.from({ length: 1_000 }, (_, i) => `value ${i}`);
  const result = evaluate(list, '$[*]', { first: 11, last: 20 });
  expect(result).toMatchObject({ total: 1_000, matches: { length: 10 } });
  expect(texts(list, '$[*]', { first: 3, last: 3, fromColumn: 4 })).toEqual(['ue 2"']);
  const long = evaluate(['😀'.repeat(1_000)], '$[0]', { maxCharacters: 100 });
  expect(long).toMatchObject({ total: 1, matches: [{ column: 0, isEnd: false }] });
  expect((texts(['😀'.repeat(1_000)], '$[0]', { maxCharacters: 100 })[0] ?? '').isWellFormed()).toBe(true);
});

test('nesting is bounded, and brackets within strings are none', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(texts(nested(400), '$[0][0]')).toHaveLength(1);
  expect(evaluate(nested(100_000), '$')).toBe('not_json');
  expect(texts({ log: '\u001b[31m"[{'.repeat(5_000), end: 1 }, '$.end')).toEqual(['1']);
});
