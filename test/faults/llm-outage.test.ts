// @module-tag long
import {
  apiOf,
  loadSamples,
  providerComplaint,
  rowsOf,
  startStack,
  startStubLlm,
  untilQuiet,
  type JsonMessage,
  type Stack,
  type StubLlm,
  until,
} from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { dueThread, expectSound, isFull, llmEnv, longTest } from './fault-rig.js';

let stub: StubLlm;
let stack: Stack;
afterEach(async () => {
  await stack?.stop();
  await stub?.stop();
});

async function start(): Promise<StubLlm['answer']> {
  stub = await startStubLlm();
  stack = await startStack({ workers: 2, env: { ...llmEnv(stub), SPILLWAY_LEASE_MS: '10000' } });
  return stub.answer;
}

test('F33 with the model answering 500 to everything, every context is valid and within budget and no append fails; when it is back the backlog drains in order', async () => {
  const plain = await start();
  const api = apiOf(stack);
  stub.answer = () => ({ status: 500 });
  const all = loadSamples();
  const long = all.toSorted((a, b) => b.messages.length - a.messages.length).slice(0, 3);
  const threads = isFull ? all : long.map((one) => ({ ...one, messages: one.messages.slice(0, 400) }));
  const policy = { context: { context_window: 16_000 } };
  for (const { name, messages } of threads) {
    await api.createThread({ id: name, policy });
    for (let i = 0; i < messages.length; i += 10) {
      // An append that fails throws here.
      await api.append(name, ...messages.slice(i, i + 10));
      if (i % 50 !== 0 && i + 10 < messages.length) continue;
      const context = await api.context(name);
      expect(context.tokens.total, name).toBeLessThanOrEqual(context.budget.limit);
      expect(providerComplaint(context.messages as JsonMessage[]), name).toBeNull();
    }
  }
  const waiting = await rowsOf<{ id: string }>(
    stack.databaseUrl,
    `SELECT id FROM threads WHERE needs_compaction AND park_reason IS NULL`,
  );
  await until('the model was asked', () => Promise.resolve(stub.calls.length > 0));
  if (isFull) expect(waiting.length).toBeGreaterThan(0);
  expect(await rowsOf(stack.databaseUrl, 'SELECT id FROM threads WHERE park_reason IS NOT NULL')).toEqual([]);

  stub.answer = plain;
  await untilQuiet(stack.databaseUrl, 240_000);
  const methods: string[] = [];
  for (const { name, messages } of threads) {
    expect(await api.originals(name)).toEqual(messages);
    const active = (await api.summaries(name)).find((summary) => summary.active);
    if (active) methods.push(active.method);
    const context = await api.context(name);
    expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
    expect(providerComplaint(context.messages as JsonMessage[])).toBeNull();
  }
  // Threads of many windows could not wait: code made theirs, until they are due again. The others have the model's.
  expect(methods).toContain('llm');
  await expectSound(stack);
});

longTest('F25 a provider that says 429 for ever is asked little, however many threads are due', async () => {
  await start();
  const api = apiOf(stack);
  stub.answer = () => ({ status: 429 });
  for (let i = 0; i < 200; i++) await dueThread(api, `limited-${i}`);
  stub.calls.length = 0;
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  // Two workers: a probe each half a minute, and ten second tries a minute at most.
  expect(stub.calls.length).toBeLessThanOrEqual(2 * (10 + 4));
  for (let i = 0; i < 200; i += 20) {
    const context = await api.context(`limited-${i}`);
    expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
  }
});
