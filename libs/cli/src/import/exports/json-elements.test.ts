import { expect, test } from 'vitest';
import { jsonElements } from './json-elements.js';

async function* inPieces(text: string | Buffer, size: number) {
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += size) {
    await Promise.resolve();
    yield bytes.subarray(i, i + size);
  }
}
async function elementsIn(text: string | Buffer, size = 1_000): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { text: element, line } of jsonElements('file', inPieces(text, size)))
    found.push([JSON.parse(element), line]);
  return found;
}

const tricky = { 'a"]}': '\\" [{,', é: ['☃', { b: [] }], c: '\\\\' };
const list = `\uFEFF \n[\n${JSON.stringify(tricky, null, 1)} ,\n 3,"x, ]",\n\n{}, null ]\n`;

test.each([1, 2, 3, 7, 1_000])('elements are whole in pieces of %i bytes, with their lines', async (size) => {
  expect(await elementsIn(list, size)).toEqual([
    [tricky, 3],
    [3, 13],
    ['x, ]', 13],
    [{}, 15],
    [null, 15],
  ]);
});

test.each([
  ['an empty list', '[ ]', []],
  ['an empty file', ' \n', []],
  ['one document', '{"a": [1, 2]}', [[{ a: [1, 2] }, 1]]],
  [
    'a document on each line',
    '{"a": 1}\n{"b": 2}\n',
    [
      [{ a: 1 }, 1],
      [{ b: 2 }, 2],
    ],
  ],
  ['a number at the end of the file', '\n12', [[12, 2]]],
])('%s', async (_what, text, expected) => {
  expect(await elementsIn(text, 2)).toEqual(expected);
});

test.each([
  ['a list that does not end', '[\n{},\n', /file:3: .*does not end/],
  ['an element that does not end', '[\n{},\n{"a": "]', /file:3: .*does not end/],
  ['a comma too many', '[{},\n,{}]', /file:2: The JSON document is not valid/],
  ['a comma at the end', '[{},\n]', /file:2: The JSON document is not valid/],
  ['a comma that is missing', '[{}\n{}]', /file:2: The JSON document is not valid/],
  ['something after the list', '[{}]\n\n{}', /file:3: The JSON list has ended/],
  ['bytes that are not UTF-8', Buffer.from([0x5b, 0x0a, 0x22, 0xff, 0x22, 0x5d]), /file:2: .*not UTF-8/],
])('%s is refused with its line', async (_what, text, expected) => {
  await expect(elementsIn(text, 3)).rejects.toThrow(expected);
});
