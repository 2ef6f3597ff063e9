import { formats, seqMessage } from '@spillway/engine';
import { expect, test } from 'vitest';
import { transcriptPrompt } from './transcript.js';

test('a model is told what the user says beside a result, and the result once', () => {
  const content = [
    { type: 'tool_result', tool_use_id: 'c', content: 'two tests fail' },
    { type: 'text', text: 'Stop, and never touch the schema.' },
  ];
  const message = seqMessage(3, formats.anthropic.read({ role: 'user', content }));
  const rest = { prior: null, tokens: 500, custom: null, hint: null, schema: null, boundary: '=== x ===' };
  const { prompt } = transcriptPrompt({ ...rest, messages: [message] });
  expect(JSON.parse(prompt.split('\n')[1]!)).toEqual({
    seq: 3,
    role: 'user',
    text: 'Stop, and never touch the schema.',
    results: [{ id: 'c', name: null, text: 'two tests fail', isError: false }],
  });
});
