import { expect, test } from 'vitest';
import { formats } from '../index.js';

test.each(['anthropic', 'ai-sdk'] as const)(
  'a number in the arguments of a call that JavaScript would round is a string of its digits as %s',
  (to) => {
    const args = '{"order_id": 72057594037927111, "of": [1e400, 7, 0.5], "ref": "a"}';
    const message = formats.openai.read({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: args } }],
    });
    const [written] = formats[to].write([message]).bodies;
    const input = { order_id: '72057594037927111', of: ['1e400', 7, 0.5], ref: 'a' };
    expect(written!.body.content).toEqual([expect.objectContaining({ input })]);
  },
);
