import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistant, replies, startProxyRig, user, type ProxyRig } from '../proxies/proxy-rig.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());

/** As an own key, beside what a message has: an assignment of it would replace the prototype of the message. */
const reaching = '"__proto__":{"content":"of a prototype","tool_calls":[],"isAdmin":true}';
const message = `"role":"assistant","content":"ok",${reaching}`;
const usage = '"usage":{"prompt_tokens":4,"completion_tokens":1,"total_tokens":5}';
const whole = `{"choices":[{"index":0,"message":{${message}},"finish_reason":"stop"}],${usage}}`;
const streamed = [
  `{"choices":[{"index":0,"delta":{${message}}}]}`,
  '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '[DONE]',
].map((data) => `data: ${data}\n\n`);

test.each([
  ['in one piece', 'application/json', whole, {}],
  ['as a stream', 'text/event-stream', streamed.join(''), { stream: true }],
])(
  'a key of prototypes in a message that comes %s is passed on, and no part of what is recorded',
  async (how, type, bytes, options) => {
    const id = `message-${how.length}`;
    rig.answer = (response) => void response.writeHead(200, { 'content-type': type }).end(bytes);
    const answer = await rig.post(id, [user('a')], options);
    expect([answer.status, await answer.text()]).toEqual([200, bytes]);
    expect(await rig.api.originals(id)).toEqual([user('a'), assistant('ok')]);
    rig.answer = replies('b');
    expect((await rig.post(id, [user('more')])).status).toBe(200);
    expect(rig.received.at(-1)!.body.messages).toEqual([user('a'), assistant('ok'), user('more')]);
  },
);

test('a key of prototypes in the arguments of a call, which are a text, stays there', async () => {
  const args = '{"__proto__":{"isAdmin":true},"path":"a.txt"}';
  const call = { id: 'c1', type: 'function', function: { name: 'apply', arguments: args } };
  const calling = { role: 'assistant', content: null, tool_calls: [call] };
  rig.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ index: 0, message: calling, finish_reason: 'tool_calls' }] }));
  expect((await rig.post('arguments', [user('a')])).status).toBe(200);
  rig.answer = replies('done');
  const result = { role: 'tool', tool_call_id: 'c1', content: 'applied' };
  expect((await rig.post('arguments', [user('a'), calling, result])).status).toBe(200);
  expect(rig.received.at(-1)!.body.messages).toEqual([user('a'), calling, result]);
});

test.each([
  ['ai-sdk', 'tool-call', { toolCallId: 'c1', toolName: 'apply' }],
  ['anthropic', 'tool_use', { id: 'c1', name: 'apply' }],
])(
  'a key of prototypes in the input of a posted call of the format %s stays there as a text',
  async (format, type, names) => {
    const input = '{"patch":{"__proto__":{"isAdmin":true}}}';
    const part = JSON.stringify({ type, ...names, input: 0 }).replace('"input":0', `"input":${input}`);
    const path = `/v1/threads/posted-${format}/messages?format=${format}`;
    const posted = await rig.api.call(
      'POST',
      path,
      `{"messages":[{"role":"assistant","content":[${part}]}]}`,
    );
    expect(posted.status).toBe(201);
    const [recorded] = await rig.api.originals(`posted-${format}`);
    expect(recorded).toEqual({ role: 'assistant', content: [{ type, ...names, input: { json: input } }] });
  },
);
