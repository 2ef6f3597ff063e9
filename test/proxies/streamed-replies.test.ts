import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());

/** A chat completion as a stream of these deltas. */
const streams = (deltas: readonly object[]) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas)
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }], usage: null })}\n\n`);
  response.end('data: [DONE]\n\n');
};

const calls = (...list: object[]) => ({ tool_calls: list });
const run = (id: string, args: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'run', arguments: args },
  ...more,
});
const signed = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };

/** What servers stream, and the message that they must get back. */
const streamed: [string, object[], object][] = [
  [
    "a call with Gemini's signature, which it wants back",
    [
      calls({ index: 0, ...run('a', '{"n":') }),
      calls({ index: 0, function: { arguments: '1}' }, ...signed }),
    ],
    { content: null, ...calls(run('a', '{"n":1}', signed)) },
  ],
  [
    'two calls without an index, as Gemini sends them',
    [calls(run('a', '{"n":1}', signed), run('b', '{"n":2}')), calls(run('c', '{"n":3}'))],
    { content: null, ...calls(run('a', '{"n":1}', signed), run('b', '{"n":2}'), run('c', '{"n":3}')) },
  ],
  [
    'two calls with one index, the second one in pieces',
    [
      calls({ index: 0, ...run('a', '{"n":1}') }),
      calls({ index: 0, ...run('b', '{"n":') }),
      calls({ index: 0, function: { arguments: '2}' } }),
    ],
    { content: null, ...calls(run('a', '{"n":1}'), run('b', '{"n":2}')) },
  ],
  [
    'a call whose every piece repeats its id, type and name',
    [
      calls({ index: 0, ...run('a', '{"n":') }),
      calls({ index: 0, id: 'a', function: { name: '', arguments: '1}' } }),
    ],
    { content: null, ...calls(run('a', '{"n":1}')) },
  ],
  [
    'a call of a custom tool',
    [
      calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'shell', input: 'ls' } }),
      calls({ index: 0, custom: { input: ' -l' } }),
    ],
    { content: null, ...calls({ id: 'a', type: 'custom', custom: { name: 'shell', input: 'ls -l' } }) },
  ],
  [
    "reasoning in OpenRouter's details",
    [
      {
        reasoning: 'They ',
        reasoning_details: [{ type: 'reasoning.text', text: 'They ', format: 'x', index: 0 }],
      },
      {
        reasoning: 'ask.',
        reasoning_details: [{ type: 'reasoning.text', text: 'ask.', format: 'x', index: 0 }],
      },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', format: 'x', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'eHg=', format: 'x', index: 1 }] },
      { content: 'Yes', ...calls({ index: 0, ...run('a', '{}') }) },
    ],
    {
      content: 'Yes',
      reasoning: 'They ask.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'They ask.', signature: 'c2ln', format: 'x', index: 0 },
        { type: 'reasoning.encrypted', data: 'eHg=', format: 'x', index: 1 },
      ],
      ...calls(run('a', '{}')),
    },
  ],
  [
    "thinking blocks, as LiteLLM passes on Claude's",
    [
      { thinking_blocks: [{ type: 'thinking', thinking: 'They ', signature: '' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'ask.', signature: '' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'c2ln' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'More.', signature: '' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'bW9yZQ' }] },
      calls({ index: 0, ...run('a', '{}') }),
    ],
    {
      content: null,
      thinking_blocks: [
        { type: 'thinking', thinking: 'They ask.', signature: 'c2ln' },
        { type: 'thinking', thinking: 'More.', signature: 'bW9yZQ' },
      ],
      ...calls(run('a', '{}')),
    },
  ],
  [
    'annotations that arrive one by one',
    [
      { content: 'Here' },
      { annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }] },
      { annotations: [{ type: 'url_citation', url_citation: { url: 'https://b.example' } }] },
    ],
    {
      content: 'Here',
      annotations: [
        { type: 'url_citation', url_citation: { url: 'https://a.example' } },
        { type: 'url_citation', url_citation: { url: 'https://b.example' } },
      ],
    },
  ],
];

test.each(streamed)('%s', async (what, deltas, message) => {
  const id = `streamed-${streamed.findIndex(([name]) => name === what)}`;
  rig.answer = streams([{ role: 'assistant', content: null }, ...deltas]);
  await (await rig.post(id, [user('go')], { stream: true })).text();

  rig.answer = replies('done');
  const { tool_calls: made = [] } = message as { tool_calls?: { id: string }[] };
  const results = made.map((call) => ({ role: 'tool', tool_call_id: call.id, content: 'ran' }));
  // Only what is new: the answer of the model comes from the thread.
  const answer = await rig.post(id, [...results, ...(made.length === 0 ? [user('and?')] : [])]);
  expect(answer.status).toBe(200);
  expect(rig.received.at(-1)!.body.messages[1]).toEqual({ role: 'assistant', ...message });
});

/** A stream of these chunks, with the line that ends it or without. */
const sends = (chunks: readonly object[], end: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end(end);
};
const piece = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finish }],
});
const done = 'data: [DONE]\n\n';

test.each<[string, object[], string, string[]]>([
  ['that ends with a reason and no [DONE], as gateways send it', [piece('all', 'stop')], '', ['all']],
  ['that is cut before it gives a reason', [piece('half')], '', []],
  ['with an error in its middle', [piece('half'), { error: { message: 'Overloaded' } }], done, []],
  ['that ends with an error', [piece('half', 'error'), { error: { message: 'Lost' } }], '', []],
])('a stream %s', async (name, chunks, end, recorded) => {
  const id = `ends-${name.length}`;
  rig.answer = sends(chunks, end);
  await (await rig.post(id, [user('a')], { stream: true })).text();
  expect(await rig.shown(id)).toEqual(['user: a', ...recorded.map((text) => `assistant: ${text}`)]);
});

test('a chunk with nothing but usage and null for choices does not cut the answer off', async () => {
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (chunk: object) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    send({ choices: [{ index: 0, delta: { content: 'whole' }, finish_reason: 'stop' }] });
    send({ choices: null, usage: { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 } });
    response.end('data: [DONE]\n\n');
  };
  const answer = await rig.post('null-choices', [user('a')], { stream: true });
  expect(await answer.text()).toContain('[DONE]');
  expect(await rig.shown('null-choices')).toEqual(['user: a', 'assistant: whole']);
});

test('a chunk in a form of its own is passed on, and nothing of the answer is recorded', async () => {
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n');
    response.write('data: {"choices":{"0":"of a form that nobody knows"}}\n\n');
    response.end('data: [DONE]\n\n');
  };
  const answer = await rig.post('own-form', [user('a')], { stream: true });
  expect(await answer.text()).toMatch(/half[^]*nobody knows[^]*DONE/);
  expect(await rig.shown('own-form')).toEqual(['user: a']);
});
