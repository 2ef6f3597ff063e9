import { expect, test } from 'vitest';
import { hostile } from './hostile.js';

const { api } = hostile('media');

/** A PDF of one page, which counts as few tokens whatever its size. */
const pdf = Buffer.concat([
  Buffer.from('%PDF-1.4\n1 0 obj << /Type /Pages /Count 1 >> << /Type /Page >> endobj\n'),
  Buffer.alloc(5_500_000, 'A'),
  Buffer.from('%%EOF'),
]).toString('base64');
const file = { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } };

test('A122 a context holds as many bytes of files as a provider takes, however often one file was posted', async () => {
  await api.call('PUT', '/v1/threads/files', { model: 'gpt-4o' });
  const posted = Array.from({ length: 6 }, (_, i) => ({
    role: 'user',
    content: [{ type: 'text', text: `file ${i + 1}` }, file],
  }));
  for (const message of posted) await api.append('files', message);
  const { messages } = await api.context('files');
  const shown = (messages as typeof posted).map(({ content }) => content[1]);
  const note = (seq: number) => ({
    type: 'text',
    text: `[The older file of message ${seq} is not shown here.]`,
  });
  expect(shown.slice(0, 2)).toEqual([note(1), note(2)]);
  expect(shown.slice(2).every((part) => JSON.stringify(part) === JSON.stringify(file))).toBe(true);
  const first = await api.call<{ data: { message: object }[] }>('GET', '/v1/threads/files/messages?limit=1');
  expect(JSON.stringify(first.body.data[0]!.message)).toBe(JSON.stringify(posted[0]));
});
