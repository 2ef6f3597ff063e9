import { expect, test } from 'vitest';
import type { Body } from '../index.js';
import { withNewestMarks } from './cache-marks.js';

const cache_control = { type: 'ephemeral' };
const marked = (text: string): Body => ({ role: 'user', content: [{ type: 'text', text, cache_control }] });
const plain = (text: string): Body => ({ role: 'user', content: [{ type: 'text', text }] });

test('the two newest marks stay, and messages without a mark too many are the same objects', () => {
  const messages = [marked('a'), { role: 'assistant', content: 'b' }, marked('c'), marked('d')];
  const kept = withNewestMarks(messages, 'anthropic');
  expect(kept).toEqual([plain('a'), ...messages.slice(1)]);
  for (const i of [1, 2, 3]) expect(kept[i]).toBe(messages[i]);
});

test('the mark of a result is newer than those of its content', () => {
  const text = { type: 'text', text: 'done' };
  const result = { type: 'tool_result', tool_use_id: 't' };
  const content = [text, { ...text, cache_control }, { ...text, cache_control }];
  const [kept] = withNewestMarks(
    [{ role: 'user', content: [{ ...result, content, cache_control }] }],
    'anthropic',
  );
  expect(kept!.content).toEqual([
    { ...result, content: [text, text, { ...text, cache_control }], cache_control },
  ]);
});

test("marks on whole messages, which gateways take in OpenAI's format, count alike", () => {
  const message = (content: string): Body => ({ role: 'user', content, cache_control });
  expect(withNewestMarks(['a', 'b', 'c', 'd'].map(message), 'openai')).toEqual([
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
    message('c'),
    message('d'),
  ]);
});

test('other formats have no such marks', () => {
  const messages = ['a', 'b', 'c'].map(marked);
  expect(withNewestMarks(messages, 'responses')).toBe(messages);
});
