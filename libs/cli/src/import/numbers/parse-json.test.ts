import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InexactNumber } from './inexact-number.js';
import { parseJson } from './parse-json.js';

const inexact = (digits: string) => new InexactNumber(digits);

describe('JSON of a session', () => {
  test.each([
    ['[9007199254740993]', [inexact('9007199254740993')]],
    ['{"a":-12345678901234567890,"b":7}', { a: inexact('-12345678901234567890'), b: 7 }],
    [' 1e400 ', inexact('1e400')],
    ['[1e-400,1E+400,5e-324]', [inexact('1e-400'), inexact('1E+400'), 5e-324]],
    ['[9007199254740991,1234567890123456800]', [9007199254740991, 1234567890123456800]],
    ['{"id 9007199254740993":"9007199254740993"}', { 'id 9007199254740993': '9007199254740993' }],
    ['["\\"9007199254740993\\\\",9007199254740993]', ['"9007199254740993\\', inexact('9007199254740993')]],
  ])('%s keeps every digit', (text, expected) => {
    expect(parseJson(text)).toEqual(expected);
  });

  test('without such a number it is that of JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify([value, 9007199254740991]);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { seed: 7 },
    );
  });

  test('and any text beside it, every other value is that of JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(`[${text},9007199254740993,${text}]`)).toEqual([
          JSON.parse(text),
          inexact('9007199254740993'),
          JSON.parse(text),
        ]);
      }),
      { seed: 7 },
    );
  });

  test('that is not valid has the error of JSON.parse', () => {
    const text = '[9007199254740993, 1234567890123456789 x, "a text that makes the error name the position"]';
    const errorOf = (parse: (text: string) => unknown): string => {
      try {
        return JSON.stringify(parse(text));
      } catch (error) {
        return String(error);
      }
    };
    expect(errorOf(parseJson)).toContain('SyntaxError');
    expect(errorOf(parseJson)).toBe(errorOf(JSON.parse));
  });
});
