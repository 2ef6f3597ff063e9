import { expect, test } from 'vitest';
import { sizeOf } from './batch.js';
import { jsonValuesOf, maxValues } from './json-values.js';

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
const withKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

test.each<[unknown, number]>([
  ['a "text": [1, 2], {"a": 1}', 0],
  [{ a: 'ends in a backslash \\', b: '\\"', 'a "key": \\': ',' }, 4],
  [[], 1],
  [[1], 1],
  [[1, -2.5e300, null], 3],
  [{}, 1],
  [{ a: 1, b: [{ c: '[' }, 'x'] }, 1 + 2 + 2 + 2],
  [withKeys(10_000), 10_001],
  [withKeys(10_001), Infinity],
  [[withKeys(10_000), withKeys(10_000)], 2 + 2 * 10_001],
  [nested(62), 62],
  [nested(63), Infinity],
  [{ ['k'.repeat(4_094)]: 1 }, 2],
  [{ ['k'.repeat(4_095)]: 1 }, Infinity],
  [{ ['\u00e9'.repeat(2_047)]: 1 }, 2],
  [{ ['\u00e9'.repeat(2_048)]: 1 }, Infinity],
  [{ text: 'k'.repeat(5_000) }, 2],
  [Array.from({ length: maxValues }, () => 0), maxValues],
  [Array.from({ length: maxValues + 1 }, () => 0), Infinity],
])('values are counted as the API counts them, until it takes no more: case %#', (value, count) =>
  expect(jsonValuesOf(JSON.stringify(value))).toBe(count),
);

test('bytes in a message are one text, as they are posted', () => {
  const file = { type: 'file', mediaType: 'image/png', data: new Uint8Array(300_000) };
  expect(sizeOf({ role: 'user', content: [file] })).toMatchObject({ values: 1 + 2 + 1 + 1 + 3 });
});

test('the input of a call that no request may have counts as the object with its text', () => {
  const call = (input: unknown) => ({ role: 'assistant', content: [{ type: 'tool_use', id: 'c', input }] });
  const alone = sizeOf(call({})).values;
  expect(sizeOf(call({ in: [1, 2] })).values).toBe(alone + 3);
  for (const input of [{ in: nested(64) }, withKeys(10_001), [withKeys(9_999)], { ['k'.repeat(4_095)]: 1 }])
    expect(sizeOf(call(input)).values).toBe(alone);
});
