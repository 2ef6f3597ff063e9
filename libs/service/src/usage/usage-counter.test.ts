import { describe, expect, test } from 'vitest';
import { UsageCounter } from './usage-counter.js';

const served = { model: 'm', sent: 900, full: 5_000, contextWindow: 2_000, degraded: false };

describe('what is counted of a context', () => {
  test('the whole history, but of money no more than its window would have taken', () => {
    const usage = new UsageCounter();
    usage.served('p', served);
    expect(usage.take().get('p')!.byModel.get('m')).toMatchObject({
      contexts: 1,
      contextsOverWindow: 1,
      contextsDegraded: 0,
      tokensSent: 900,
      tokensFull: 5_000,
      tokensNotSent: 1_100,
    });
  });

  test('never less than nothing is counted as not sent by a context above its window', () => {
    const usage = new UsageCounter();
    usage.served('p', { ...served, sent: 2_500, full: 2_500 });
    expect(usage.take().get('p')!.byModel.get('m')).toMatchObject({ tokensNotSent: 0 });
  });
});

test('what may have been written is sent again as it was, and what was counted meanwhile after it', () => {
  const usage = new UsageCounter();
  usage.recorded('p', 'm', 2, 30);
  const first = usage.take().get('p')!;
  usage.recorded('p', 'm', 1, 4);
  expect(usage.take().get('p')).toEqual(first);
  usage.written('p');
  const second = usage.take().get('p')!;
  expect(first.byModel.get('m')).toMatchObject({ messages: 2, tokensRecorded: 30 });
  expect(second.byModel.get('m')).toMatchObject({ messages: 1, tokensRecorded: 4 });
  expect(second.number).toBeGreaterThan(first.number);
  usage.written('p');
  expect(usage.take().size).toBe(0);
});

test('a client that names a new model with every thread does not fill the memory', () => {
  const usage = new UsageCounter();
  for (let i = 0; i < 1_000; i++) usage.recorded('p', `model-${i}`, 1, 1);
  const counted = usage.take().get('p')!.byModel;
  expect(counted.size).toBeLessThan(100);
  expect([...counted.values()].reduce((sum, { messages }) => sum + messages, 0)).toBe(1_000);
});

test('the tokens of a key are counted until they are reported as written, apart from those of other keys', () => {
  const usage = new UsageCounter();
  const taken = { inputTokens: 40, outputTokens: 5, cachedInputTokens: 30 };
  const spend = (keyId: string) => usage.chatted({ projectId: 'p', keyId }, 'm', taken, null);
  spend('a');
  expect(usage.take().get('p')!.chatTokensByKey).toEqual(new Map([['a', 45]]));
  spend('a');
  spend('b');
  expect(['a', 'b', 'c'].map((key) => usage.chatTokensOfKey('p', key))).toEqual([90, 45, 0]);
  expect(usage.chatTokensOfKey('q', 'a')).toBe(0);
  usage.written('p');
  expect(usage.chatTokensOfKey('p', 'a')).toBe(45);
  expect(usage.chatTokens('p')).toBe(90);
});
