import { expect, test } from 'vitest';
import { extractSummary, formats, instructionsIn, maxPossiblePerMessage, seqMessage } from '@spillway/engine';
import { messagesOf } from './warm-up.js';

const messages = messagesOf('first').map((body, i) => seqMessage(i + 1, formats.openai.read(body)));

test('the rules of grammar look at each sentence of the user: their score does not decide alone', () => {
  expect(instructionsIn(messages[0]!).length).toBeGreaterThanOrEqual(maxPossiblePerMessage);
});

test('the summary has something to say of each message', () => {
  const fields = extractSummary({
    prior: null,
    messages,
    maxTokens: 1_024,
    count: (text) => text.length / 4,
  });
  expect(fields.task_overview).toContain('Step 0 belongs to the first group');
  expect(fields.important_discoveries).toContain('first_0 is missing');
});
