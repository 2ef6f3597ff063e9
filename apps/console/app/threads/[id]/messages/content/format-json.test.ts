import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson } from './format-json';

describe('JSON is shown with line breaks and in its own characters', () => {
  test.each([
    ['a number that JavaScript rounds', '{"user_id":7205759403792793601}', '{\n  "user_id": 7205759403792793601\n}'],
    ['a number beyond its range', '[1e400,-0,1.0]', '[\n  1e400,\n  -0,\n  1.0\n]'],
    ['two equal keys', '{"path":"/a","path":"/b"}', '{\n  "path": "/a",\n  "path": "/b"\n}'],
    ['keys that JavaScript sorts', '{"b":1,"2":[],"1":{ }}', '{\n  "b": 1,\n  "2": [],\n  "1": {}\n}'],
    ['escapes', '{"a":"\\u0041\\/ {,:}\\"[","__proto__":1}', '{\n  "a": "\\u0041\\/ {,:}\\"[",\n  "__proto__": 1\n}'],
  ])('%s', (_what, text, shown) => expect(formatJson(text)).toBe(shown)); // prettier-ignore

  test('any value looks as JavaScript writes it with indents', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const shown = JSON.stringify(value, null, 2);
        expect(formatJson(JSON.stringify(value))).toBe(shown);
        expect(formatJson(shown)).toBe(shown);
      }),
    );
  });

  test.each([
    ['a text', 'say {"a":1}'],
    ['a number', '12'],
    ['half of a document', '{"a":[1,2'],
    ['two documents', '{"a":1}{"b":2}'],
    ['what is nested so deep that indents would be most of it', `${'['.repeat(101)}${']'.repeat(101)}`],
  ])('%s stays as it is', (_what, text) => expect(formatJson(text)).toBeNull());
});
