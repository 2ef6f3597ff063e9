import { expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { formatNames, type FormatName } from '../messages/format-name.js';
import { callsOf, type Body } from '../messages/message.js';
import { loadCounter } from '../tokens/counter.js';
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

const long = 'All work and no play. '.repeat(200);
const callOf: [string, FormatName, Body, RegExp][] = [
  [
    "Gemini's signature of a chat call",
    'openai',
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'write', arguments: JSON.stringify({ text: long }) },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
      ],
    },
    /"extra_content":\{"google":\{"thought_signature":"c2ln"\}\}/,
  ],
  [
    'the program that made a call',
    'anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'write', input: { text: long }, caller: { tool_id: 'srv' } },
      ],
    },
    /"caller":\{"tool_id":"srv"\}/,
  ],
  [
    "options of the AI SDK's provider",
    'ai-sdk',
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'write',
          input: { text: long },
          providerOptions: { google: { thoughtSignature: 'c2ln' } },
        },
      ],
    },
    /"thoughtSignature":"c2ln"/,
  ],
  [
    'the id of an item',
    'responses',
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'a',
      name: 'write',
      arguments: JSON.stringify({ text: long }),
    },
    /"id":"fc_1"/,
  ],
  [
    'the kind of a call of a built-in tool, whose result is of that kind too',
    'responses',
    { type: 'shell_call', id: 'sh_1', call_id: 'a', action: { commands: ['ls', long], timeout_ms: 100 } },
    /^\{"type":"shell_call","id":"sh_1","call_id":"a","action":\{"commands":\["ls",".*not shown.*"\],"timeout_ms":100\}\}$/,
  ],
  [
    'the text of a custom tool',
    'openai',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sh', input: long } }],
    },
    /"custom":\{"name":"sh","input":"All work/,
  ],
];

test.each(callOf)('a shorter call keeps %s (%s)', (_what, format, body, kept) => {
  const short = shortenMessage(formats[format].read(body), 80, counter);
  const [written] = formats[format].write([short]).bodies;
  const json = JSON.stringify(written!.body);
  expect(json).toMatch(kept);
  expect(json).toContain('not shown');
  expect(json.length).toBeLessThan(800);
  expect(callsOf(formats[format].read(written!.body))).toHaveLength(1);
  // Arguments stay what their format takes.
  for (const other of formatNames) {
    const [call] = callsOf(formats[other].read(formats[other].write([short]).bodies[0]!.body));
    expect(call!.input).toContain('not shown');
  }
});
