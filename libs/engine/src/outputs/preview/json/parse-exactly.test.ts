import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { threadMsOf } from '../../../../../../test/thread-time.js';
import { loadCounter, type CountTokens } from '../../../tokens/counter.js';
import { previewOf } from '../previews.js';
import { parseJsonExactly, writeJsonExactly } from './parse-exactly.js';
import { parseJson } from './parse-json.js';

// The same cases each time; SPILLWAY_SEED chooses others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const previewed = (text: string): string =>
  previewOf(text, { tokens: 600, headLines: 5, tailLines: 5 }, count).text;

describe('a whole number that JavaScript would round is shown as it was written', () => {
  const record = (i: number): string => `{"id": ${72057594037927111n + BigInt(i)}, "name": "Item ${i}"}`;
  const records = Array.from({ length: 400 }, (_, i) => record(i));

  test.each([
    ['a list', `[${records.join(',\n')}]`],
    ['JSON lines', records.join('\n')],
    ['a list of a member', `{"next": null, "rows": [${records.join(' , ')} ]}`],
  ])('in %s', (_, text) => {
    const preview = previewed(text);
    for (const i of [0, 1, 399]) expect(preview).toContain(` = ${record(i)}`);
    expect(preview).toMatch(/\[\*\]\.id: number$/m);
  });

  test('in a map, in a list, below zero, and with more digits', () => {
    const text =
      '{"ids": {"1": 72057594037927936000111, "a": [-9007199254740993]}, "__proto__": 1234567890123456789}';
    expect(previewed(text)).toContain(`value: ${text}`);
  });

  test('in the item that is unlike the rest', () => {
    const odd = '{"id": 72057594037999999, "error": "fatal: disk full"}';
    const text = `[${[...records.slice(0, 200), odd, ...records.slice(200)].join(',')}]`;
    expect(previewed(text)).toContain('$[200]: id=72057594037999999, error=fatal: disk full');
  });

  test('in what a logger says', () => {
    const lines = records.map((_, i) =>
      JSON.stringify({ level: 'error', time: i, msg: 'payment failed', order: 'id' }).replace(
        '"id"',
        String(72057594037927111n + BigInt(i)),
      ),
    );
    const preview = previewed(lines.join('\n'));
    for (const order of ['72057594037927111', '72057594037927510'])
      expect(preview).toContain(`ERROR payment failed  order=${order}`);
  });
});

test('what a logger says is not looked into deeper than a stack', () => {
  const deep = `{"level":"error","time":1,"msg":"failed","err":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(previewed(Array.from({ length: 9 }, () => deep).join('\n'))).toContain('"msg":"failed"');
});

describe('parseJsonExactly', () => {
  const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
    leaf: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('"', '\\', ': 72057594037927111,', null) },
      { weight: 1, arbitrary: fc.constantFrom('\ufdd0', '\\ufdd072057594037927111') },
      { weight: 9, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 9, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
      { weight: 20, arbitrary: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }) },
    ),
    tree: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.array(tie('tree')),
      fc.dictionary(fc.string(), tie('tree')),
    ),
  }));
  const written = (value: unknown): string => {
    if (typeof value === 'bigint') return String(value);
    if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${written(item)}`);
    return `{${members.join(',')}}`;
  };

  test('reads all but such numbers as JSON.parse does, whatever the strings hold', () => {
    let exact = 0;
    fc.assert(
      fc.property(fc.array(tree, { minLength: 5 }), (value) => {
        const text = written(value);
        const found = parseJsonExactly(text)!.value;
        expect(JSON.parse(written(found))).toEqual(JSON.parse(text));
        expect(parseJsonExactly(writeJsonExactly(found))!.value).toEqual(found);
        if (/\ufdd0|\\ufdd0/i.test(text)) return;
        const integers = (of: string): string[] => of.match(/(?<=[[:,\s])-?\d{16,}(?=[,}\]])/g) ?? [];
        expect(integers(written(found))).toEqual(integers(text));
        exact += integers(text).length;
      }),
    );
    expect(exact).toBeGreaterThan(100);
  });

  test('finds such a number wherever it stands', () => {
    for (let before = 0; before < 40; before++) {
      const text = `["${'x'.repeat(before)}", 9007199254740993]`;
      expect(parseJsonExactly(text)!.value).toEqual(['x'.repeat(before), 9007199254740993n]);
    }
  });

  test.each([
    '{"a": 1, 72057594037927111: 2}',
    '[72057594037927111x]',
    '[072057594037927111]',
    '[1 72057594037927111]',
    '["a, 72057594037927111]',
    '72057594037927111',
    '{"a": 72057594037927111',
  ])('refuses %s, which is not JSON', (text) => {
    expect(parseJsonExactly(text)).toBeUndefined();
  });

  test('leaves numbers that are no ids as they are', () => {
    const numbers = '[1.0, 1e400, -0, 0.12345678901234567, 9007199254740992, 12345678901234567e3, 5]';
    expect(parseJsonExactly(numbers)!.value).toEqual(JSON.parse(numbers));
    const long = `[${'9'.repeat(101)}]`;
    expect(parseJsonExactly(long)!.value).toEqual(JSON.parse(long));
  });

  test.each([
    ['numbers', '72057594037927111,'],
    ['quotes', '"\\"",72057594037927111,'],
    ['backslashes', '"\\\\\\\\",1,'],
    ['short numbers', '123456789012345,'],
    ['digits', '7205759403792711172057594037927111,'],
  ])('a long list of %s takes time in proportion', (_, piece) => {
    const textOf = (length: number): string =>
      `[${piece.repeat(length / piece.length)}"${'\\\\'.repeat(length / 10)}",72057594037927111]`;
    const msOf = (text: string): number =>
      Math.min(...Array.from({ length: 3 }, () => threadMsOf(() => parseJsonExactly(text))));
    const small = Math.max(5, msOf(textOf(100_000)));
    expect(msOf(textOf(800_000))).toBeLessThan(24 * small);
  });

  test('takes a few times as long as without such numbers', () => {
    const text = `[${Array.from({ length: 20_000 }, (_, i) => `{"id": ${72057594037927111n + BigInt(i)}, "n": ${i}}`).join(',')}]`;
    const msOf = (parse: typeof parseJson): number =>
      Math.min(...Array.from({ length: 5 }, () => threadMsOf(() => parse(text))));
    expect(msOf(parseJsonExactly)).toBeLessThan(8 * Math.max(5, msOf(parseJson)));
  });
});
