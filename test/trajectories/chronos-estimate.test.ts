import { conversationOverhead, countMessage, formats, loadCounter } from '@spillway/engine';
import { loadTrajectories, type JsonMessage } from '@spillway/testing';
import { expect, test } from 'vitest';
import { estimateConversation } from '../differential/chronos-estimate.js';

test("Chronos's estimate is off by more than a tenth either way", async () => {
  const o200k = { text: await loadCounter('o200k'), perMessage: 4 };
  const shares = loadTrajectories().map(({ messages }) => {
    const count = (sum: number, message: JsonMessage) =>
      sum + countMessage(formats.openai.read(message), o200k);
    return estimateConversation(messages) / messages.reduce(count, conversationOverhead);
  });
  expect(Math.min(...shares)).toBeLessThan(0.9);
  expect(Math.max(...shares)).toBeGreaterThan(1.1);
});
