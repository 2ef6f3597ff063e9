import {
  conversationOverhead,
  countMessage,
  formats,
  loadCounter,
  type MessageCounter,
} from '@spillway/engine';
import { loadSamples, type JsonMessage } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { estimateAsChronos, estimateConversation } from './chronos-estimate.js';

let estimate: MessageCounter;
let o200k: MessageCounter;
beforeAll(async () => {
  estimate = { text: await loadCounter('estimate'), perMessage: 4 };
  o200k = { text: await loadCounter('o200k'), perMessage: 4 };
});
const count = (message: JsonMessage, counter: MessageCounter): number =>
  countMessage(formats.openai.read(message), counter);

/** Chronos counts no images, and ours does: they are compared by what is said. */
const threads = loadSamples().map(({ name, messages }) => ({
  name,
  messages: messages.filter((message) => !JSON.stringify(message).includes('"image_url"')),
}));

test('every real message: ours says as much as theirs, and at most one token more for each text', () => {
  let messages = 0;
  for (const { name, messages: thread } of threads) {
    for (const [i, message] of thread.entries()) {
      const theirs = estimateAsChronos(message);
      const ours = count(message, estimate);
      const where = `${name}@${i + 1}`;
      expect(ours, where).toBeGreaterThanOrEqual(theirs.tokens);
      // Ours rounds each text up; and UTF-16 has two units for a character beyond the first 65,536.
      const beyond = JSON.stringify(message).match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0;
      expect(ours, where).toBeLessThanOrEqual(theirs.tokens + theirs.texts + beyond / 4);
      messages++;
    }
  }
  expect(messages).toBeGreaterThan(2_000);
});

test('over whole real threads the two differ by less than one percent', () => {
  for (const { name, messages } of threads) {
    const ours = messages.reduce((sum, message) => sum + count(message, estimate), conversationOverhead);
    expect(ours / estimateConversation(messages), name).toBeLessThan(1.01);
  }
});

test('on real threads it misses more than a third of the tokens, and half where a character is a token', () => {
  const shares = threads.map(({ messages }) => {
    const real = messages.reduce((sum, message) => sum + count(message, o200k), conversationOverhead);
    return estimateConversation(messages) / real;
  });
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  console.log(`characters / 4 are ${least.toFixed(2)} to ${most.toFixed(2)} of the tokens of real threads`);
  expect(least).toBeLessThan(0.65);
  expect(most).toBeLessThan(1.05);
  for (const content of [
    '请把昨天的会议记录整理成一份简短的报告，并发送给所有参加会议的同事。',
    '昨日の会議の議事録を短い報告書にまとめて、参加者全員に送ってください。',
  ]) {
    const message = { role: 'user', content };
    const { tokens } = estimateAsChronos(message);
    console.log(`${tokens} for a text of ${count(message, o200k)} tokens`);
    expect(tokens).toBeLessThan(0.5 * count(message, o200k));
    expect(count(message, estimate)).toBe(tokens);
  }
});
