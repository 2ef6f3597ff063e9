import {
  apiOf,
  loadSamples,
  longestSample,
  startStack,
  startStubLlm,
  until,
  type Api,
  type WireFormat,
} from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { settled } from '../folding-thread.js';
import { sized } from '../sizes.js';
import { expectKept } from './replay-thread.js';

const contextWindow = 16_000;
/** Of each thread. With so many a window of 16,000 is folded several times. */
const maxMessages = sized(150, Infinity);

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

const formats: WireFormat[] = ['openai', 'anthropic', 'responses', 'ai-sdk'];
const threads = formats.flatMap((format) => loadSamples(format).map((thread) => ({ ...thread, format })));

describe('every real thread, message by message', { tags: 'long' }, () => {
  test.each(threads)('$name, as $format', async ({ name, format, messages }) => {
    await expectKept(api, { id: name, format, messages: messages.slice(0, maxMessages), contextWindow });
  });
});

test('a long thread is compacted while it is written, and its context stays small', async () => {
  const { messages } = longestSample();
  const id = 'long';
  await api.createThread({ id, policy: { context: { context_window: contextWindow } } });
  for (let i = 0; i < messages.length; i += 5) {
    const { thread } = await api.append(id, ...messages.slice(i, i + 5));
    if (thread.compaction.state !== 'idle') await settled(api, id);
  }
  const summaries = await api.summaries(id);
  expect(summaries.length).toBeGreaterThan(10);
  expect(summaries.at(-1)!.method).toBe('extractive');
  expect(Object.values(summaries.at(-1)!.fields).every((field) => typeof field === 'string')).toBe(true);
  const thread = await api.thread(id);
  expect(thread.live_tokens).toBeLessThan(thread.total_tokens / 4);
});

test('no append and no context waits for a compaction', async () => {
  const stub = await startStubLlm();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const plain = stub.answer;
  stub.answer = (call) => ({ ...plain(call), after: released });
  const slow = await startStack({ env: stub.env });
  try {
    const own = apiOf(slow);
    const { messages } = longestSample();
    const id = 'held';
    await own.createThread({ id, policy: { context: { context_window: contextWindow } } });
    let posted = 0;
    const post = async () => {
      await own.append(id, messages[posted++]!);
      return own.context(id);
    };
    while (stub.calls.length === 0) await post();
    // The model has the summary and does not answer. Whatever waits for it waits for ever.
    for (let i = 0; i < 60; i++) {
      const { tokens, budget } = await post();
      expect(tokens.total).toBeLessThanOrEqual(budget.limit);
    }
    expect((await own.thread(id)).compaction).toMatchObject({ generation: 0, state: 'running' });
    release();
    await until('it is compacted', async () => (await own.thread(id)).compaction.generation > 0);
    const [summary] = await own.summaries(id);
    expect(summary).toMatchObject({ method: 'llm', from_seq: 1 });
    // Every message of the summary was there when the model was asked.
    expect(summary!.to_seq).toBeLessThanOrEqual(posted - 60);
  } finally {
    release();
    await slow.stop();
    await stub.stop();
  }
});
