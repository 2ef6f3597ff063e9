import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './json-fault';

test.each([
  ['{"a": 1,}', 8, 'a name in double quotes'],
  ["{'a': 1}", 1, 'a name in double quotes'],
  ['{"a" 1}', 5, 'a colon'],
  ['{"a": x}', 6, 'a value'],
  ['{"a": 1 "b": 2}', 8, 'a comma or }'],
  ['[1 2]', 3, 'a comma or ]'],
  ['[1,]', 3, 'a value'],
  ['{"a": 01}', 7, 'a comma or }'],
  ['{"a": "b}', 9, 'a closing double quote'],
  ['{"a": "b\n"}', 8, 'a closing double quote'],
  ['{"a": "\\x"}', 7, 'an escape such as \\n or \\"'],
  ['{"a": {}', 8, 'a comma or }'],
  ['{} {}', 3, 'the end'],
  ['{}}', 2, 'the end'],
  ['', 0, 'a value'],
])('the fault of %j is at %i, where %s is expected', (text, offset, expected) => {
  expect(jsonFault(text)).toEqual({ offset, expected });
});

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const pieces =
  '{ } [ ] , : " \\ \\n \\u12 \\u12ab 0 1 -1 1. 1.5e-3 e true null "a" "" 😀 \n \t \u0001 \u2028'.split(' ');

test('a text has a fault when JSON.parse refuses it, and only then', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (some) => {
      const text = some.join('');
      expect(jsonFault(text) === null).toBe(parses(text));
    }),
    { numRuns: 20_000 },
  );
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(jsonFault(text)).toBeNull();
      const part = text.slice(0, cut % (text.length + 1));
      expect(jsonFault(part) === null).toBe(parses(part));
    }),
  );
});

test('deep nesting is no fault', () => {
  const depth = 100_000;
  expect(jsonFault('['.repeat(depth) + ']'.repeat(depth))).toBeNull();
});
