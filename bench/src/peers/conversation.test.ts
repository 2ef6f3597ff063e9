import { expect, test } from 'vitest';
import { conversation, messageBytes } from './conversation.js';

test('messages are of 1 KB, differ, and are the same in each run', () => {
  const [one, again] = [conversation(), conversation()];
  const texts = Array.from({ length: 300 }, (_, i) => one(i - 100));
  expect(texts.filter((text) => Buffer.byteLength(text) !== messageBytes)).toEqual([]);
  expect(new Set(texts.map((text) => text.slice(-200))).size).toBe(300);
  expect(again(7)).toBe(one(7));
});
