import { describe, expect, test } from 'vitest';
import { historyOf, messagesOf } from './messages.js';
import type { Block, MessageJson, ResultBlock, StrandsMessage } from './sdk.js';

/** As the SDK has it, without the other things that it does. */
const messageOf = (role: 'user' | 'assistant', ...content: Block[]): StrandsMessage => ({
  role,
  content,
  toJSON: () => ({ role, content }),
});
const user = (...content: Block[]) => messageOf('user', ...content);
const assistant = (...content: Block[]) => messageOf('assistant', ...content);
const use = (toolUseId: string, input: unknown = {}): Block => ({
  toolUse: { name: 'list', toolUseId, input },
});
const result = (toolUseId: string, ...content: ResultBlock[]): Block => ({
  toolResult: { toolUseId, status: 'success', content },
});
const recorded = (...messages: StrandsMessage[]) => historyOf(messages).map(([message]) => message);
/** As a context gives them back: JSON. */
const shown = (...messages: StrandsMessage[]) =>
  JSON.parse(JSON.stringify(recorded(...messages))) as object[];
const jsonOf = (messages: readonly (StrandsMessage | MessageJson)[]) =>
  messages.map((message) => ('toJSON' in message ? message.toJSON() : message));

describe('what a tool returned', () => {
  const png = { image: { format: 'png', source: { bytes: 'QUJD' } } };
  test.each<[string, Block, object]>([
    ['a text', result('a', { text: 'all' }), { type: 'text', value: 'all' }],
    ['JSON', result('a', { json: { n: 1 } }), { type: 'json', value: { n: 1 } }],
    [
      'an image beside a text',
      result('a', { text: 'see' }, png),
      {
        type: 'content',
        value: [
          { type: 'text', text: 'see' },
          { type: 'image-data', data: 'QUJD', mediaType: 'image/png' },
        ],
      },
    ],
    [
      'an error',
      { toolResult: { toolUseId: 'a', status: 'error', content: [{ text: 'no' }] } },
      { type: 'error-text', value: 'no' },
    ],
    [
      'an error in JSON',
      { toolResult: { toolUseId: 'a', status: 'error', content: [{ json: { code: 5 } }] } },
      { type: 'error-json', value: { code: 5 } },
    ],
  ])('%s', (_, block, output) => {
    const messages = [assistant(use('a')), user(block)];
    expect(recorded(...messages)[1]).toEqual({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'list', output }],
    });
    expect(jsonOf(messagesOf(shown(...messages), []))).toEqual(jsonOf(messages));
  });

  test('of several texts that failed all are kept', () => {
    const failed: Block = {
      toolResult: { toolUseId: 'a', status: 'error', content: [{ text: 'no' }, { json: [1] }] },
    };
    expect(recorded(user(failed))[0]!.content).toMatchObject([
      { output: { type: 'error-text', value: 'no\n[1]' } },
    ]);
    expect(recorded(user(result('b')))[0]!.content).toMatchObject([{ output: { type: 'text', value: '' } }]);
  });

  test('stands in one message with the others of its step, also where one is a stub now', () => {
    const messages = [
      assistant(use('a'), use('b')),
      user(result('a', { text: 'long' }), result('b', { text: 'short' })),
    ];
    const [calls, results] = shown(...messages) as { content: object[] }[];
    const stub = { type: 'text', value: '[stub]' };
    const apart = results!.content.map((part, i) => ({
      role: 'tool',
      content: [i === 0 ? { ...part, output: stub } : part],
    }));
    const back = messagesOf([calls!, ...apart], historyOf(messages));
    expect(jsonOf(back)).toEqual([
      messages[0]!.toJSON(),
      { role: 'user', content: [result('a', { text: '[stub]' }), result('b', { text: 'short' })] },
    ]);
    // The agent's own message, not one that says the same.
    expect(back[0]).toBe(messages[0]);
  });
});

test('words beside results are a message of their own', () => {
  const messages = [assistant(use('a')), user(result('a', { text: 'x' }), { text: 'Go on.' })];
  expect(recorded(...messages).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  expect(jsonOf(messagesOf(shown(...messages), historyOf(messages)))).toEqual([
    messages[0]!.toJSON(),
    user(result('a', { text: 'x' })).toJSON(),
    user({ text: 'Go on.' }).toJSON(),
  ]);
});

describe('reasoning', () => {
  const thought: Block = { reasoning: { text: 'Hm.', signature: 'c2ln' } };
  const sealed: Block = { reasoning: { redactedContent: 'QUJD' } };
  const messages = [user({ text: 'Go.' }), assistant(thought, sealed, use('a'))];

  test('is recorded with what its provider signed or sealed', () => {
    expect(recorded(...messages)[1]!.content).toEqual([
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'QUJD' } } },
      { type: 'tool-call', toolCallId: 'a', toolName: 'list', input: {} },
    ]);
    expect(messagesOf(shown(...messages), historyOf(messages))).toEqual(messages);
  });

  test('is left out where the context leaves it out', () => {
    const [question, answer] = shown(...messages) as [object, { content: { type: string }[] }];
    const stripped = { ...answer, content: answer.content.filter(({ type }) => type !== 'reasoning') };
    const [, back] = messagesOf([question, stripped], historyOf(messages));
    expect(jsonOf([back!])).toEqual([assistant(use('a')).toJSON()]);
  });

  test('that was all of a message leaves none where the context leaves it out', () => {
    const alone = [user({ text: 'Go.' }), assistant(thought)];
    const [question, answer] = shown(...alone) as [object, { content: object[] }];
    expect(messagesOf([question, { ...answer, content: [] }], historyOf(alone))).toEqual([alone[0]]);
    expect(jsonOf(messagesOf([question, answer], []))).toEqual([alone[0]!.toJSON()]);
  });

  test('of Gemini is signed in the call, which keeps it when it is shown shortened', () => {
    const signed = assistant({
      toolUse: { name: 'list', toolUseId: 'a', input: { n: 1 }, reasoningSignature: 'c2ln' },
    });
    const [call] = shown(signed) as [{ content: object[] }];
    const shorter = { ...call, content: [{ ...call.content[0], input: { shortened: '…' } }] };
    expect(jsonOf(messagesOf([shorter], historyOf([signed])))).toEqual([
      {
        role: 'assistant',
        content: [
          {
            toolUse: { name: 'list', toolUseId: 'a', input: { shortened: '…' }, reasoningSignature: 'c2ln' },
          },
        ],
      },
    ]);
  });
});

test.each<[string, Block, object]>([
  [
    'an image',
    { image: { format: 'jpeg', source: { bytes: 'QUJD' } } },
    { type: 'file', data: 'QUJD', mediaType: 'image/jpeg' },
  ],
  [
    'an image by its address',
    { image: { format: 'png', source: { url: 'https://a.example/b.png' } } },
    { type: 'file', data: 'https://a.example/b.png', mediaType: 'image/png' },
  ],
  [
    'a document',
    { document: { format: 'pdf', name: 'bill', source: { bytes: 'QUJD' } } },
    { type: 'file', data: 'QUJD', mediaType: 'application/pdf', filename: 'bill' },
  ],
  [
    'a table',
    { document: { format: 'csv', name: 'rows', source: { bytes: 'QUJD' } } },
    { type: 'file', data: 'QUJD', mediaType: 'text/csv', filename: 'rows' },
  ],
  [
    'a sound',
    { audio: { format: 'mp3', source: { bytes: 'QUJD' } } },
    { type: 'file', data: 'QUJD', mediaType: 'audio/mpeg' },
  ],
])('%s is recorded as a file, and written as it was', (_, block, part) => {
  const messages = [user(block)];
  expect(recorded(...messages)[0]!.content).toEqual([part]);
  expect(jsonOf(messagesOf(shown(...messages), []))).toEqual(jsonOf(messages));
});

test('a document of text is recorded as its text, and what is only for a provider is not', () => {
  const document: Block = { document: { format: 'txt', name: 'a', source: { text: 'All of it.' } } };
  const cited: Block = { citations: { content: [{ text: 'As it ' }, { text: 'says.' }] } };
  const guarded: Block = { guardContent: { text: { text: 'Checked.' } } };
  const messages = [user(document, { cachePoint: { cacheType: 'default' } }, guarded), assistant(cited)];
  expect(recorded(...messages).map(({ content }) => content)).toEqual([
    [
      { type: 'text', text: 'All of it.' },
      { type: 'text', text: 'Checked.' },
    ],
    [{ type: 'text', text: 'As it says.' }],
  ]);
  // The agent's own messages go out as they are.
  expect(messagesOf(shown(...messages), historyOf(messages))).toEqual(messages);
});
