import { expect, test } from 'vitest';
import { messagesOf, modelOf } from './session-messages.js';

const line = (uuid: string, role: 'user' | 'assistant', content: string | object[], more: object = {}) => ({
  type: role,
  uuid,
  message: { role, content, ...(role === 'assistant' ? { id: 'msg_1', model: 'claude' } : {}) },
  ...more,
});
const call = (id: string) => ({ type: 'tool_use', id, name: 'list', input: {} });

test('the lines of an answer are one message, with the id of the last of them', () => {
  const result = { type: 'tool_result', tool_use_id: 'c1', content: 'none' };
  const entries = [
    line('u1', 'user', 'Which?'),
    line('u2', 'assistant', [{ type: 'text', text: 'Let me see.' }]),
    line('u3', 'assistant', [call('c1')]),
    line('u4', 'user', [result]),
  ];
  expect(messagesOf(entries)).toEqual([
    { id: 'u1', role: 'user', content: 'Which?' },
    { id: 'u3', role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }, call('c1')] },
    { id: 'u4', role: 'user', content: [result] },
  ]);
  expect(modelOf(entries)).toBe('claude');
});

test.each<[string, object]>([
  ['of a subagent', line('u1', 'user', 'Look.', { isSidechain: true })],
  ['of a summary of the program', line('u1', 'user', 'All so far.', { isCompactSummary: true })],
  ['of an error of the API', line('u1', 'assistant', 'Overloaded', { isApiErrorMessage: true })],
  [
    'of the program itself',
    { type: 'assistant', uuid: 'u1', message: { role: 'assistant', content: 'x', model: '<synthetic>' } },
  ],
  ['without an id', { type: 'user', message: { role: 'user', content: 'Hi' } }],
  ['without content', line('u1', 'user', [])],
  ['that is no message', { type: 'attachment', uuid: 'u1', attachment: {} }],
])('a line %s is not recorded', (_, entry) => {
  expect(messagesOf([entry as { type: string }])).toEqual([]);
});
