import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { llmFailures, redirectTo, type LlmFailure } from './failures.js';
import { startStubLlm, type StubLlm } from './stub-llm.js';

let stub: StubLlm;
beforeEach(async () => {
  stub = await startStubLlm();
});
afterEach(() => stub.stop());

interface Heard {
  status: number | null;
  headers: IncomingMessage['headers'];
  bytes: number;
  text: string;
  /** How it ended: whole, an error's code, or that the listener hung up. */
  end: string;
}

/** A caller that hangs up after `patienceMs` or `enough` bytes, and tells what it heard until then. */
function ask(patienceMs = 5_000, enough = Infinity): Promise<Heard> {
  return new Promise((resolve) => {
    const heard: Heard = { status: null, headers: {}, bytes: 0, text: '', end: '' };
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    const asked = request(`${stub.url}/chat/completions`, { method: 'POST' });
    const end = (how: string) => {
      clearTimeout(timer);
      heard.end ||= how;
      asked.destroy();
      resolve(heard);
    };
    const timer = setTimeout(() => end('hung up'), patienceMs);
    asked.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    asked.on('response', (response) => {
      heard.status = response.statusCode ?? null;
      heard.headers = response.headers;
      response.on('data', (chunk: Buffer) => {
        heard.bytes += chunk.length;
        if (heard.text.length < 10_000) heard.text += chunk.toString();
        if (heard.bytes > enough) end('enough');
      });
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      response.on('end', () => end('whole'));
    });
    asked.end(body);
  });
}

const failing = (name: LlmFailure, ...patience: [number?, number?]) => {
  stub.answer = llmFailures[name];
  return ask(...patience);
};
const contentOf = ({ text }: Heard) =>
  (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message.content;

test('answers plainly when nothing is asked of it', async () => {
  const heard = await ask();
  expect(heard).toMatchObject({ status: 200, end: 'whole' });
  expect(JSON.parse(contentOf(heard))).toMatchObject({ task_overview: 'Task as seen by m.' });
  expect(stub.calls).toHaveLength(1);
});

test('each answer has an id of its own, and is streamed to those who ask', async () => {
  const post = async (stream: boolean) => {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream });
    return (await fetch(`${stub.url}/chat/completions`, { method: 'POST', body })).text();
  };
  stub.answer = () => ({ content: 'Hello.' });
  expect(await post(false)).toContain('"id":"stub-1"');
  const events = (await post(true)).split('\n\n').filter((event) => event !== '');
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(events[0]!.slice('data: '.length))).toMatchObject({
    id: 'stub-2',
    choices: [{ delta: { role: 'assistant', content: 'Hello.' } }],
  });
});

test.each<[LlmFailure, Partial<Heard>, number?, number?]>([
  ['hang before headers', { status: null, end: 'hung up' }, 300],
  ['hang mid-body', { status: 200, end: 'hung up' }, 2_000],
  ['drip of 1 B/s', { status: 200, end: 'hung up' }, 1_500],
  ['connection reset', { status: null, end: 'ECONNRESET' }],
  ['connection reset mid-body', { status: 200, end: 'ECONNRESET' }],
  ['no body', { status: 200, bytes: 0, end: 'whole' }],
  ['endless body', { status: 200, end: 'enough' }, 20_000, 150_000_000],
  ['500', { status: 500 }],
  ['503', { status: 503 }],
])('%s', async (name, expected, ...patience) => {
  expect(await failing(name, ...patience)).toMatchObject(expected);
});

test('JSON that ends in its middle, and a body that is none', async () => {
  const cut = await failing('truncated JSON');
  expect(cut.end).toBe('whole');
  expect(() => contentOf(cut)).toThrow(SyntaxError);
  expect((await failing('wrong content-type')).headers['content-type']).toBe('text/html');
});

test('bodies of 100 MB, plain and packed', async () => {
  expect((await failing('100 MB body', 20_000)).bytes).toBeGreaterThan(100_000_000);
  const packed = await failing('gzip bomb', 20_000);
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.bytes).toBeLessThan(1_000_000);
});

test('keys and characters that must not get through', async () => {
  expect(contentOf(await failing('extra keys'))).toContain('"__proto__":{"polluted":true}');
  expect(contentOf(await failing('NUL in a field'))).toContain(String.raw`\u0000`);
  expect(contentOf(await failing('lone surrogate in a field'))).toContain(String.raw`\ud800`);
  expect((await failing('refusal')).text).toContain('"refusal":"I cannot help with that."');
});

test('429 says when to come back, and a redirect where to go', async () => {
  const after = async (name: LlmFailure) => (await failing(name)).headers['retry-after'];
  expect(await after('429 with Retry-After')).toBe('1');
  expect(await after('429 with an absurd Retry-After')).toBe('999999999');
  expect(Date.parse((await after('429 with a date'))!)).toBeGreaterThan(Date.now() - 1_000);
  stub.answer = () => redirectTo('http://127.0.0.1:9/canary');
  expect(await ask()).toMatchObject({ status: 302, headers: { location: 'http://127.0.0.1:9/canary' } });
});
