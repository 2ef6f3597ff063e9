import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from 'langchain';
import { expect, test } from 'vitest';
import { contextMessages, modelMessage, modelMessages } from './messages.js';

const calls = [{ type: 'tool_call' as const, id: 'c1', name: 'list', args: { n: 1 } }];
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: { n: 1 } };
const thinking = { type: 'thinking', thinking: 'hm', signature: 'signed' };
const toolUse = { type: 'tool_use', id: 'c1', name: 'list', input: { n: 1 } };
const found = [{ type: 'web_search_result', url: 'https://example.com', title: 'Rain' }];
const search = [
  { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'weather' } },
  { type: 'web_search_tool_result', tool_use_id: 's1', content: found },
];
const result = (output: object) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'list', output }],
});
const answered = (content: ToolMessage['content'], status: 'success' | 'error' = 'success') =>
  new ToolMessage({ content, tool_call_id: 'c1', name: 'list', status });

test.each<[string, BaseMessage, object]>([
  ['a question', new HumanMessage('hi'), { role: 'user', content: 'hi' }],
  ['a system message', new SystemMessage('be brief'), { role: 'system', content: 'be brief' }],
  [
    'images by URL and as data',
    new HumanMessage({
      content: [
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      ],
    }),
    {
      role: 'user',
      content: [
        { type: 'image', image: 'https://example.com/a.png' },
        { type: 'image', image: 'aGk=', mediaType: 'image/png' },
      ],
    },
  ],
  [
    "images in Anthropic's and in older blocks, and by an id at the provider",
    new HumanMessage({
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'image', source_type: 'base64', mime_type: 'image/png', data: 'aGk=' },
        { type: 'image', fileId: 'file-1' },
        { type: 'image', source: { type: 'file', file_id: 'file-2' } },
      ],
    }),
    {
      role: 'user',
      content: [
        { type: 'image', image: 'aGk=', mediaType: 'image/png' },
        { type: 'image', image: 'https://example.com/a.png' },
        { type: 'image', image: 'aGk=', mediaType: 'image/png' },
        { type: 'image', fileId: 'file-1' },
        { type: 'image', source: { type: 'file', file_id: 'file-2' } },
      ],
    },
  ],
  [
    'a recording',
    new HumanMessage({
      content: [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }],
    }),
    { role: 'user', content: [{ type: 'file', mediaType: 'audio/wav', data: 'aGk=' }] },
  ],
  [
    'a search that Anthropic ran itself',
    new AIMessage({ content: [...search, { type: 'text', text: 'It rains.' }] }),
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 's1',
          toolName: 'web_search',
          input: { query: 'weather' },
          providerExecuted: true,
        },
        {
          type: 'tool-result',
          toolCallId: 's1',
          toolName: 'web_search',
          output: { type: 'json', value: found },
        },
        { type: 'text', text: 'It rains.' },
      ],
    },
  ],
  [
    'an answer of Anthropic: its signed thinking, and its call once',
    new AIMessage({ content: [thinking, { type: 'text', text: 'I look.' }, toolUse], tool_calls: calls }),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'signed' } } },
        { type: 'text', text: 'I look.' },
        call,
      ],
    },
  ],
  ['a result', answered('one'), result({ type: 'text', value: 'one' })],
  ['a result that failed', answered('no', 'error'), result({ type: 'error-text', value: 'no' })],
  [
    'a result with an image',
    answered([
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: 'https://example.com/a.png' },
    ]),
    result({
      type: 'content',
      value: [
        { type: 'text', text: 'see' },
        { type: 'image', image: 'https://example.com/a.png' },
      ],
    }),
  ],
])('%s is recorded with everything in it', (_, message, expected) => {
  expect(modelMessage(message)).toEqual(expected);
});

const ask = new HumanMessage({ content: 'hi', id: 'm1' });
const thought = new AIMessage({ content: [thinking, toolUse], tool_calls: calls, id: 'm2' });
const history = [ask, thought, answered('a long result')];

test('what the caller has comes back as the caller’s own objects', () => {
  expect(contextMessages(modelMessages(history), history)).toEqual(history);
  contextMessages(modelMessages(history), history).forEach((one, i) => expect(one).toBe(history[i]));
});

test('a stub takes the place of a result, and a summary is a message of its own', () => {
  const summary = { role: 'user', content: 'Summary: nothing yet.' };
  const context = [summary, modelMessage(thought), result({ type: 'text', value: '[stored as out_1]' })];
  const [first, second, third] = contextMessages(context, history);
  expect(first).toMatchObject({ type: 'human', content: 'Summary: nothing yet.' });
  expect(second).toBe(thought);
  expect(third).toMatchObject({ type: 'tool', content: '[stored as out_1]', tool_call_id: 'c1' });
});

test('an image by an id at the provider comes back in a result as it was', () => {
  const image = { type: 'image', fileId: 'file-1' };
  const [message] = contextMessages([result({ type: 'content', value: [image] })], []);
  expect(message!.content).toEqual([image]);
});

test('reasoning that the context leaves out leaves the caller’s message, its calls stay', () => {
  const [message] = contextMessages([{ role: 'assistant', content: [call] }], history) as [AIMessage];
  expect(message.content).toEqual([toolUse]);
  expect(message).toMatchObject({ id: 'm2', tool_calls: calls });
});

test('an answer that the caller does not have is made from the context', () => {
  const parts = [{ type: 'text', text: 'Shortened.' }, call];
  const [message] = contextMessages([{ role: 'assistant', content: parts }], []) as [AIMessage];
  expect(message).toMatchObject({ type: 'ai', content: 'Shortened.', tool_calls: calls });
});

test('of answers whose calls have one id each stands for itself', () => {
  const ask = (n: number): AIMessage =>
    new AIMessage({ content: [thinking], tool_calls: [{ ...calls[0]!, args: { n } }] });
  const history = [ask(1), answered('one'), ask(2), answered('no', 'error')];
  const renamed = { ...call, toolCallId: 'c1_4', input: { n: 2 } };
  const failed = { type: 'tool-result', toolCallId: 'c1_4', toolName: 'list' };
  const context = [
    modelMessage(history[0]!),
    modelMessage(history[1]!),
    { role: 'assistant', content: [renamed] },
    { role: 'tool', content: [{ ...failed, output: { type: 'error-text', value: 'no' } }] },
  ];
  const shown = contextMessages(context, history);
  expect(shown.slice(0, 2)).toEqual(history.slice(0, 2));
  expect(shown[0]).toBe(history[0]);
  expect(shown[1]).toBe(history[1]);
  expect((shown[2] as AIMessage).tool_calls).toMatchObject([{ id: 'c1_4', args: { n: 2 } }]);
  expect(shown[3]).toMatchObject({ tool_call_id: 'c1_4', status: 'error' });
});

test('a stub of one of several results with one id is no result of the caller’s', () => {
  const history = [
    new ToolMessage({ content: 'one', tool_call_id: 'c1', id: 'first' }),
    new ToolMessage({ content: 'two', tool_call_id: 'c1', id: 'second' }),
  ];
  const [shown] = contextMessages([result({ type: 'text', value: '[stored as out_1]' })], history);
  expect(shown!.id).toBeUndefined();
  const [second] = contextMessages([modelMessage(history[1]!)], history);
  expect(second).toBe(history[1]);
  const [first] = contextMessages([modelMessage(history[0]!)], history);
  expect(first).toBe(history[0]);
});

test.each([undefined, ''])(
  'a call with the id %o and its result have the name of the tool as their id',
  (id) => {
    const asked = new AIMessage({ content: '', tool_calls: [{ ...calls[0]!, id }] });
    const answered = new ToolMessage({ content: 'one', tool_call_id: id as string, name: 'list' });
    const [posted, result] = [asked, answered].map((one) => modelMessage(one).content as [object]);
    expect(posted![0]).toMatchObject({ type: 'tool-call', toolCallId: 'list' });
    expect(result![0]).toMatchObject({ type: 'tool-result', toolCallId: 'list' });
    const history = [asked, answered];
    const shown = contextMessages(modelMessages(history), history);
    expect(shown[0]).toBe(asked);
    expect(shown[1]).toBe(answered);

    const stub = { ...result![0], output: { type: 'text', value: '[stored as out_1]' } };
    const [, stubbed] = contextMessages([modelMessage(asked), { role: 'tool', content: [stub] }], history);
    expect(stubbed).toMatchObject({ content: '[stored as out_1]', tool_call_id: id });
  },
);

test('calls without an id to one tool have an id each, and their results the same ones, in each run', () => {
  const named = (name: string, n: number) => ({ type: 'tool_call' as const, id: '', name, args: { n } });
  const answerOf = (name: string, content: string) => new ToolMessage({ content, tool_call_id: '', name });
  const first = [
    new AIMessage({ content: '', tool_calls: [named('list', 1), named('read', 2), named('list', 3)] }),
    answerOf('list', 'one'),
    answerOf('read', 'two'),
    answerOf('list', 'one'),
  ];
  const second = [
    new AIMessage({ content: '', tool_calls: [named('list', 4), named('list', 5)] }),
    answerOf('list', 'four'),
    answerOf('list', 'five'),
  ];
  const idsOf = (messages: readonly object[]) =>
    (messages as { content: { toolCallId: string }[] }[]).map(({ content }) =>
      content.map(({ toolCallId }) => toolCallId),
    );
  const history = [...first, ...second];
  const posted = modelMessages(history);
  expect(idsOf(posted)).toEqual([
    ...[['list', 'read', 'list-2'], ['list'], ['read'], ['list-2']],
    ...[['list', 'list-2'], ['list'], ['list-2']],
  ]);
  expect(idsOf(modelMessages([...history, new HumanMessage('next')]).slice(0, -1))).toEqual(idsOf(posted));
  contextMessages(posted, history).forEach((one, i) => expect(one).toBe(history[i]));

  const stub = {
    type: 'tool-result',
    toolName: 'list',
    output: { type: 'text', value: '[stored as out_1]' },
  };
  const context = [posted[0]!, { role: 'tool', content: [{ ...stub, toolCallId: 'list-2' }] }];
  expect(contextMessages(context, first)[1]).toMatchObject({
    content: '[stored as out_1]',
    tool_call_id: '',
  });
});
