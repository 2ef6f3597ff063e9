import { expect, test } from 'vitest';
import { erasedBody, type Body, type FormatName } from '../index.js';

const secret = 'a secret';

test.each<[string, FormatName, Body, Body]>([
  [
    'the calls of an assistant, without their arguments',
    'openai',
    {
      role: 'assistant',
      content: secret,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: `{"x":"${secret}"}` } }],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
  ],
  [
    'answers to requests for approval, without their reasons',
    'ai-sdk',
    {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: 'p', approved: false, reason: secret }],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: false }] },
  ],
  [
    'nothing of a message of a tool without results',
    'ai-sdk',
    { role: 'tool', content: [{ type: 'newer', text: secret }] },
    { role: 'user', content: '[This message was erased.]' },
  ],
])('an erased message keeps %s', (_what, format, body, erased) => {
  expect(erasedBody({ format, body })).toEqual(erased);
});
