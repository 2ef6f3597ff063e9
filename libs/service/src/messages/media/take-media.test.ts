import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { putMedia, takeMedia } from './take-media.js';

const bytes = randomBytes(9_000);
const data = bytes.toString('base64');

test.each([
  [
    'a data URL',
    { content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] },
    'png',
  ],
  [
    'bare base64',
    { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] },
    'bin',
  ],
  [
    'a file',
    { content: [{ type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } }] },
    'pdf',
  ],
])('%s leaves the body and comes back exactly', (_what, body, extension) => {
  const taken = takeMedia(body);
  expect(taken.references).toMatchObject([{ extension }]);
  expect(JSON.stringify(taken.body).length).toBeLessThan(400);
  expect(taken.blobs.get(taken.references[0]!.sha256)).toEqual(bytes);
  expect(putMedia(taken.body, taken.references, taken.blobs)).toEqual(body);
});

test.each([
  ['text, however much it looks like data', { content: data }],
  [
    'short data',
    { content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
  ],
  ['data that encodes differently when read', { content: [{ data: `${data.slice(0, -4)}====` }] }],
  ['an address', { content: [{ image_url: { url: `https://example.com/${'a/'.repeat(9_000)}` } }] }],
])('%s stays', (_what, body) => {
  const taken = takeMedia(body);
  expect(taken.references).toEqual([]);
  expect(taken.body).toBe(body);
});

test('the same bytes twice are one blob', () => {
  const url = `data:image/png;base64,${data}`;
  const taken = takeMedia({ content: [{ image_url: { url } }, { image_url: { url } }] });
  expect(taken.references).toHaveLength(2);
  expect(taken.blobs.size).toBe(1);
});

test.each([[['__proto__', 'x']], [['content', 'constructor', 'prototype', 'x']], [['content', 1, 'data']]])(
  'nothing is put at %j, which the body does not have',
  (path) => {
    const { body, references, blobs } = takeMedia({ content: [{ data }] });
    const moved = references.map((reference) => ({ ...reference, path }));
    expect(() => putMedia(body, moved, blobs)).toThrow('has no place');
    expect('x' in {}).toBe(false);
  },
);
