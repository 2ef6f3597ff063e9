import { apiOf, providerComplaint, sharedBrowser, type Api, type JsonMessage } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';

let api: Api;
let pdf: string;
beforeAll(async () => {
  api = apiOf(await borrowedStack('api'));
  const page = await (await sharedBrowser()).newPage();
  const paragraph = `<p>${'The tenant pays the rent on the first day of the month. '.repeat(40)}</p>`;
  const sheets = Array.from({ length: 12 }, (_, i) => `<h1>Article ${i + 1}</h1>${paragraph}`);
  await page.setContent(`<style>h1 { break-before: page }</style>${sheets.join('')}`);
  pdf = (await page.pdf({ format: 'A4' })).toString('base64');
  await page.close();
});

const contract = () => ({
  type: 'file',
  file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
});
const image = (n: number) => ({ type: 'image_url', image_url: { url: `https://example.com/${n}.png` } });
const user = (...content: object[]) => ({ role: 'user', content });

test('a PDF of twelve pages counts as twelve pages, in a context of another format too', async () => {
  await api.createThread({ id: 'contract', policy: { context: { context_window: 100_000 } } });
  const posted = await api.append('contract', user({ type: 'text', text: 'Read this.' }, contract()));
  expect(posted.messages[0]!.tokens).toBeGreaterThan(36_000);
  expect(posted.messages[0]!.tokens).toBeLessThan(36_100);
  const context = await api.context('contract', '?format=anthropic');
  expect(providerComplaint(context.messages as JsonMessage[], 'anthropic')).toBeNull();
  expect(context.messages[0]!.content).toContainEqual({
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: pdf },
    title: 'a.pdf',
  });
  expect(Math.abs(context.parts[0]!.tokens - posted.messages[0]!.tokens)).toBeLessThan(100);
});

test('PDFs that are larger than the window together are never sent together', async () => {
  await api.createThread({ id: 'contracts', policy: { context: { context_window: 100_000 } } });
  for (let i = 1; i <= 4; i++)
    await api.append('contracts', user({ type: 'text', text: `Contract ${i}.` }, contract()));
  const context = await api.context('contracts');
  expect(context.tokens.total).toBeLessThanOrEqual(100_000);
  const sent = context.messages.filter((message) => JSON.stringify(message).includes('file_data'));
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual(2);
});

test('a stored PDF comes whole beside an image at an address that is not shown any more', async () => {
  await api.createThread({ id: 'shots', policy: { context: { max_images: 1, context_window: 100_000 } } });
  await api.append('shots', user(image(1), contract()), user(image(2)));
  const [first] = (await api.context('shots')).messages;
  expect(first).toEqual(
    user({ type: 'text', text: '[An older image of message 1 is not shown here.]' }, contract()),
  );
});

test('a short text stays beside the PDF that a tool returned with it', async () => {
  await api.createThread({ id: 'fetched', policy: { context: { context_window: 100_000 } } });
  const source = { type: 'base64', media_type: 'application/pdf', data: pdf };
  const content = [
    { type: 'text', text: 'Fetched a.pdf.' },
    { type: 'document', source },
  ];
  const messages = [
    { role: 'user', content: 'Read a.pdf.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'fetch', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
  ];
  const { body } = await api.call('POST', '/v1/threads/fetched/messages?format=anthropic', { messages });
  expect(body).toMatchObject({ messages: [{}, {}, { output: null }] });
  expect((await api.context('fetched', '?format=anthropic')).messages).toEqual(messages);
});
