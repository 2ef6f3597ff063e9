import { Anthropic, type Middleware } from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { createSpillway } from './index.js';

/** A client whose requests end here. */
function clientWith(sent: { url: string; headers: Headers }[], before: Middleware[] = []): Anthropic {
  const { middleware } = createSpillway({ baseUrl: 'http://127.0.0.1:9', key: 'unused', log: () => {} });
  return new Anthropic({
    apiKey: 'sk-test',
    maxRetries: 0,
    middleware: [...before, middleware],
    fetch: (url, init) => {
      sent.push({ url: url as string, headers: new Headers(init?.headers) });
      return Promise.resolve(Response.json({ input_tokens: 1, role: 'assistant', content: [], usage: {} }));
    },
  });
}

const { options } = createSpillway({ baseUrl: 'http://127.0.0.1:9', key: 'unused' }).thread('Überweisung 7');
const question = { model: 'claude', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] };

test('the thread is named by a header, which Anthropic does not get', async () => {
  const sent: { url: string; headers: Headers }[] = [];
  const client = clientWith(sent);
  await client.messages.create(question, options);
  await client.messages.countTokens({ model: 'claude', messages: question.messages }, options);
  expect(options.headers).toEqual({ 'spillway-thread': '%C3%9Cberweisung%207' });
  expect(sent.map(({ headers }) => headers.get('spillway-thread'))).toEqual([null, null]);
});

test('a request that continues a conversation at Anthropic is refused before anything is sent', async () => {
  const sent: { url: string; headers: Headers }[] = [];
  const run = clientWith(sent).beta.messages.toolRunner({ ...question, tools: [] }, options);
  await expect(run.runUntilDone()).rejects.toThrow('thread: false');
  expect(sent).toEqual([]);
});

test('a middleware before it that sends a request twice has the thread in both', async () => {
  const threads: (string | null)[] = [];
  const twice: Middleware = async (request, next) => {
    const send = () => {
      threads.push(request.headers.get('spillway-thread'));
      return next(request);
    };
    await send();
    return send();
  };
  const sent: { url: string; headers: Headers }[] = [];
  await clientWith(sent, [twice]).messages.create(question, options);
  expect(threads).toEqual(['%C3%9Cberweisung%207', '%C3%9Cberweisung%207']);
  expect(sent.map(({ headers }) => headers.get('spillway-thread'))).toEqual([null, null]);
});
