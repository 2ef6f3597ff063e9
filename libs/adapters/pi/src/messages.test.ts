import { expect, test } from 'vitest';
import { contextMessages, historyOf, modelMessage } from './messages.js';
import type { PiMessage } from './pi.js';

const model = { id: 'claude', api: 'anthropic-messages', provider: 'anthropic' };
const thinking = { type: 'thinking', thinking: 'hm', thinkingSignature: 'signed' };
const toolCall = { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } };
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } };
const user: PiMessage = { role: 'user', content: 'hi', timestamp: 1 };
const answer: PiMessage = {
  role: 'assistant',
  content: [thinking, { type: 'text', text: 'I look.' }, toolCall],
  stopReason: 'toolUse',
  timestamp: 2,
};
const resultOf = (text: string, isError = false): PiMessage => ({
  role: 'toolResult',
  toolCallId: 'c1',
  toolName: 'read',
  isError,
  content: [{ type: 'text', text }],
  timestamp: 3,
});
const result = (output: object) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }],
});
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const imagePart = { type: 'image', image: 'aGk=', mediaType: 'image/png' };

test.each<[string, PiMessage, object | null]>([
  ['a question', user, { role: 'user', content: 'hi' }],
  ['an image', { ...user, content: [image] }, { role: 'user', content: [imagePart] }],
  [
    'an answer',
    answer,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'signed' } } },
        { type: 'text', text: 'I look.' },
        call,
      ],
    },
  ],
  [
    'hidden reasoning',
    { ...answer, content: [{ ...thinking, thinking: '', redacted: true }] },
    {
      role: 'assistant',
      content: [{ type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'signed' } } }],
    },
  ],
  ['a result', resultOf('one'), result({ type: 'text', value: 'one' })],
  ['a result that failed', resultOf('no', true), result({ type: 'error-text', value: 'no' })],
  [
    'a result with an image',
    { ...resultOf(''), content: [{ type: 'text', text: 'see' }, image] },
    result({
      type: 'content',
      value: [
        { type: 'text', text: 'see' },
        { type: 'image-data', data: 'aGk=', mediaType: 'image/png' },
      ],
    }),
  ],
  [
    'a command of the user',
    { role: 'bashExecution', command: 'ls', output: 'a', timestamp: 4 },
    { role: 'user', content: 'Ran `ls`\n```\na\n```' },
  ],
  [
    'a summary of pi',
    { role: 'compactionSummary', summary: 'Nothing yet.', timestamp: 4 },
    { role: 'user', content: 'Nothing yet.' },
  ],
  [
    'a command that the model does not see',
    { role: 'bashExecution', command: 'ls', excludeFromContext: true, timestamp: 4 },
    null,
  ],
  ['an answer that broke off', { ...answer, stopReason: 'aborted' }, null],
  ['an empty answer', { ...answer, content: [] }, null],
  ['the system prompt', { role: 'system', content: 'Be brief.', timestamp: 0 }, null],
])('%s is recorded as the model is sent it', (_, message, expected) => {
  expect(modelMessage(message)).toEqual(expected);
});

const history = [user, answer, resultOf('a long result')];

test('what the session has comes back as the session’s own messages', () => {
  const shown = contextMessages(historyOf(history), history, model);
  expect(shown).toEqual(history);
  shown.forEach((one, i) => expect(one).toBe(history[i]));
});

test('a stub takes the place of a result, and a summary is a message of its own', () => {
  const summary = { role: 'user', content: 'Summary: nothing yet.' };
  const context = [summary, modelMessage(answer)!, result({ type: 'text', value: '[stored as out_1]' })];
  const [first, second, third] = contextMessages(context, history, model);
  expect(first).toMatchObject({ role: 'user', content: [{ type: 'text', text: summary.content }] });
  expect(second).toBe(answer);
  expect(third).toEqual(resultOf('[stored as out_1]'));
});

test('a result that the session no longer has comes back with its image', () => {
  const seen: PiMessage = { ...resultOf('see'), content: [{ type: 'text', text: 'see' }, image] };
  expect(contextMessages([modelMessage(seen)!], [{ ...user, timestamp: 3 }], model)).toEqual([seen]);
});

test('reasoning that the context leaves out leaves the session’s message, its calls stay', () => {
  const text = { type: 'text', text: 'I look.' };
  const [message] = contextMessages([{ role: 'assistant', content: [text, call] }], history, model);
  expect(message).toEqual({ ...answer, content: [text, toolCall] });
});

test('messages that the session no longer has are made from the context, with their reasoning', () => {
  const context = [modelMessage(answer)!, result({ type: 'error-text', value: 'no' })];
  const [first, second] = contextMessages(context, [user], model);
  expect(first).toMatchObject({
    role: 'assistant',
    content: answer.content,
    stopReason: 'toolUse',
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude',
  });
  expect(second).toMatchObject({ role: 'toolResult', toolCallId: 'c1', toolName: 'read', isError: true });
});

test('of answers whose calls have one id each stands for itself', () => {
  const before: PiMessage = { ...answer, content: [thinking, toolCall] };
  const after: PiMessage = {
    ...answer,
    content: [
      { ...thinking, thinkingSignature: 'other' },
      { ...toolCall, arguments: { path: 'b' } },
    ],
    timestamp: 4,
  };
  const failed = { ...resultOf('no', true), timestamp: 5 };
  const session = [user, before, resultOf('one'), after, failed];
  const context = historyOf(session);
  const later = { toolCallId: 'c1_4', toolName: 'read' };
  context[3] = { role: 'assistant', content: [{ type: 'tool-call', ...later, input: { path: 'b' } }] };
  context[4] = {
    role: 'tool',
    content: [{ type: 'tool-result', ...later, output: { type: 'error-text', value: 'no' } }],
  };
  const shown = contextMessages(context, session, model);
  [user, before, session[2]].forEach((own, i) => expect(shown[i]).toBe(own));
  expect(shown[3]!.content).toEqual([{ ...toolCall, id: 'c1_4', arguments: { path: 'b' } }]);
  expect(shown[4]).toMatchObject({ toolCallId: 'c1_4', isError: true });

  const stub = result({ type: 'text', value: '[stored as out_1]' });
  expect(contextMessages([stub], session, model)[0]).toMatchObject({ isError: false });
});
