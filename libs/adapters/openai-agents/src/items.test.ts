import type { AgentInputItem } from '@openai/agents';
import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { agentItems, responsesItem } from './items.js';

const call = { type: 'function_call', callId: 'c1', name: 'list', arguments: '{}', status: 'completed' };
const result = (output: unknown) => ({
  type: 'function_call_result',
  callId: 'c1',
  name: 'list',
  status: 'completed',
  output,
});
const message = (content: unknown) => ({ type: 'message', role: 'user', content });

test.each<[string, object[]]>([
  ['text of a user', [message('hi')]],
  [
    'an answer with its id',
    [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'hi' }],
      },
    ],
  ],
  ['a call and its result', [call, result({ type: 'text', text: 'one' })]],
  ['a result of parts', [call, result([{ type: 'input_text', text: 'one' }])]],
  [
    'images by URL and by id, and a file',
    [
      message([
        { type: 'input_image', image: 'https://example.com/a.png', detail: 'low' },
        { type: 'input_image', image: { id: 'file_1' } },
        { type: 'input_file', file: 'data:text/plain;base64,aGk=', filename: 'hi.txt' },
      ]),
    ],
  ],
  [
    'sealed reasoning',
    [
      {
        type: 'reasoning',
        id: 'rs_1',
        content: [{ type: 'input_text', text: 'hm' }],
        providerData: { encrypted_content: 'sealed' },
      },
    ],
  ],
  [
    'a call of a program of OpenAI, and its result',
    [
      { ...call, caller: { type: 'program', callerId: 'prog_1' } },
      { ...result({ type: 'text', text: 'one' }), caller: { type: 'program', callerId: 'prog_1' } },
    ],
  ],
  [
    'a call of a chat model with Gemini’s signature',
    [{ ...call, providerData: { extra_content: { google: { thought_signature: 'c2ln' } } } }],
  ],
  [
    'reasoning of a chat model',
    [{ type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text: 'hm' }] }],
  ],
  [
    'reasoning of an open model',
    [
      {
        type: 'reasoning',
        id: 'rs_1',
        content: [],
        providerData: { content: [{ type: 'reasoning_text', text: 'hm' }] },
      },
    ],
  ],
])('%s is the same after the way to Spillway and back', (_, items) => {
  expect(agentItems((items as AgentInputItem[]).map(responsesItem))).toEqual(items);
});

test('a call of a tool that the provider runs has the provider’s fields', () => {
  const item = {
    type: 'hosted_tool_call',
    id: 'ws_1',
    name: 'web_search_call',
    status: 'completed',
    providerData: { type: 'web_search_call', action: { type: 'search', query: 'q' } },
  } as AgentInputItem;
  const sent = {
    type: 'web_search_call',
    id: 'ws_1',
    name: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'q' },
  };
  expect(responsesItem(item)).toEqual(sent);
  expect(agentItems([sent])).toEqual([{ type: 'unknown', id: 'ws_1', providerData: sent }]);
});

test('the fields of a call are its own, whatever its provider had beside them', () => {
  const item = { ...call, providerData: { type: 'function', id: 'x', name: 'y', arguments: '[]', index: 0 } };
  const { callId, ...own } = call;
  expect(responsesItem(item as unknown as AgentInputItem)).toEqual({ ...own, call_id: callId, index: 0 });
});

test('results of built-in tools are outputs, in snake case', () => {
  const item = {
    type: 'computer_call_result',
    callId: 'c1',
    output: { type: 'computer_screenshot', imageUrl: 'x' },
  };
  expect(responsesItem(item as unknown as AgentInputItem)).toEqual({
    type: 'computer_call_output',
    call_id: 'c1',
    output: { type: 'computer_screenshot', image_url: 'x' },
  });
});

test('inline data of a result becomes a data URL, and made-up ids are left out', () => {
  const image = { type: 'image', image: { data: 'aGk=', mediaType: 'image/png' } };
  expect(responsesItem({ ...result(image), id: 'FAKE_ID' } as AgentInputItem)).toEqual({
    type: 'function_call_output',
    call_id: 'c1',
    status: 'completed',
    output: [{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }],
  });
});

test.each([
  ['chatcmpl-1', undefined],
  ['msg_1', undefined],
  ['fc_1', 'fc_1'],
  ['c2VhbGVk/+==', 'c2VhbGVk/+=='],
])('a call with the id %s is posted with the id %s', (id, posted) => {
  expect((responsesItem({ ...call, id } as AgentInputItem) as { id?: string }).id).toBe(posted);
});

test('the id of a message is left out where it is that of a completion, and kept where it is the caller’s', () => {
  const answer = { type: 'message', role: 'assistant', status: 'completed', content: [], id: 'chatcmpl-1' };
  expect(responsesItem(answer as AgentInputItem)).not.toHaveProperty('id');
  expect(responsesItem({ ...message('hi'), id: 'turn-1' } as AgentInputItem)).toHaveProperty('id', 'turn-1');
});

test('bytes of a file become text in less time than a list of their characters takes', () => {
  const large = new Uint8Array(2_000_000).fill(7);
  const file = message([{ type: 'input_file', file: { data: large } }]) as AgentInputItem;
  const ofList = () => Array.from(large, (byte) => String.fromCharCode(byte));
  expect(threadMsOf(() => responsesItem(file))).toBeLessThan(threadMsOf(ofList));
});
