import { expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { loadCounter } from '../tokens/counter.js';
import type { Body } from '../messages/message.js';
import { shortenMessage } from './shorten.js';

const counter = { text: await loadCounter('estimate'), perMessage: 4 };
const shortened = (body: Body): string =>
  JSON.stringify(formats.anthropic.write([shortenMessage(formats.anthropic.read(body), 60, counter)]));

test('says in the place of what is not shown that it is not', () => {
  const rows = Array.from({ length: 500 }, (_, n) => ({ row: n, words: 'All work and no play.' }));
  const result = { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'table', rows }] };
  expect(shortened({ role: 'user', content: [result] })).toContain('[table not shown]');
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aaaa' } };
  const text = { type: 'text', text: 'All work and no play. '.repeat(200) };
  expect(shortened({ role: 'user', content: [image, text] })).toContain('[image not shown]');
});
