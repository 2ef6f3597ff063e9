import { isDeepStrictEqual } from 'node:util';
import {
  apiOf,
  loadTrajectories,
  providerComplaint,
  startStack,
  until,
  type Api,
  type Stack,
} from '@spillway/testing';
import type { JsonMessage } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const contextWindow = 16_000;
/** No call may take longer than this at p99 while compactions run, beyond what the machine costs any call. */
const slowestMs = 250;

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack();
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

/** Milliseconds of all calls of all threads; a call that does nothing says how busy the machine is otherwise. */
const took = { append: [] as number[], context: [] as number[], nothing: [] as number[] };

/** Posts a thread message by message, as an agent does, and holds every context to what is promised. */
async function replay(id: string, messages: readonly JsonMessage[]): Promise<string[]> {
  await api.createThread({ id, policy: { context: { context_window: contextWindow } } });
  const complaints: string[] = [];
  let before: { generation: number; messages: unknown[]; degraded: boolean } | undefined;
  let offloaded = false;
  for (const [i, message] of messages.entries()) {
    const posted = await api.call<{ messages: { output: unknown }[] }>('POST', `/v1/threads/${id}/messages`, {
      messages: [message],
    });
    const read = await api.call<Awaited<ReturnType<Api['context']>>>('GET', `/v1/threads/${id}/context`);
    if (posted.status !== 201 || read.status !== 200) {
      complaints.push(`${i + 1}: ${posted.status} ${read.status} ${JSON.stringify(read.body)}`);
      continue;
    }
    took.append.push(posted.ms);
    took.context.push(read.ms);
    if (i % 4 === 0) took.nothing.push((await api.call('GET', '/healthz')).ms);
    offloaded ||= posted.body.messages[0]!.output !== null;
    const context = read.body;
    const complain = (what: string) => complaints.push(`${i + 1}: ${what}`);
    if (context.tokens.total > context.budget.limit) complain('over budget');
    const complaint = providerComplaint(context.messages as JsonMessage[]);
    if (complaint) complain(complaint);
    const generation = context.summary?.generation ?? 0;
    const untouched = generation === 0 && !offloaded && !context.degraded;
    if (untouched && !isDeepStrictEqual(context.messages, messages.slice(0, i + 1)))
      complain('differs from what was posted');
    if (before?.generation === generation && !before.degraded && !context.degraded) {
      const start = context.messages.slice(0, before.messages.length);
      if (!isDeepStrictEqual(start, before.messages)) complain('does not continue the context before it');
    }
    before = { generation, messages: context.messages, degraded: context.degraded };
  }
  return complaints;
}

const p99 = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)]!;

describe('every real thread, message by message', () => {
  test.each(loadTrajectories())('$name', { timeout: 120_000 }, async ({ name, messages }) => {
    expect(await replay(name, messages)).toEqual([]);

    await until(`${name} settles`, async () => (await api.thread(name)).compaction.state === 'idle');
    expect(isDeepStrictEqual(await api.originals(name), messages)).toBe(true);
    let next = 1;
    for (const summary of await api.summaries(name)) {
      expect(summary.from_seq).toBe(next);
      next = summary.to_seq + 1;
    }
    const thread = await api.thread(name);
    expect(thread.compaction.covered_through).toBe(next - 1);
    expect(thread.last_seq).toBe(messages.length);
  });
});

test('no append and no context waits for a compaction', () => {
  expect(took.append.length).toBeGreaterThan(500);
  const machine = p99(took.nothing);
  expect(p99(took.append)).toBeLessThan(slowestMs + machine);
  expect(p99(took.context)).toBeLessThan(slowestMs + machine);
});

test('a long thread is compacted while it is written, and its context stays small', async () => {
  const longest = loadTrajectories().sort((a, b) => b.messages.length - a.messages.length)[0]!;
  const summaries = await api.summaries(longest.name);
  expect(summaries.length).toBeGreaterThan(2);
  expect(summaries.at(-1)!.method).toBe('extractive');
  expect(Object.values(summaries.at(-1)!.fields).every((field) => typeof field === 'string')).toBe(true);
  const thread = await api.thread(longest.name);
  expect(thread.live_tokens).toBeLessThan(thread.total_tokens / 4);
});
