import type { Schemas } from '@spillway/client';
import { rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stackWithModel } from '../stack-with-model.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel(
  { env: { SPILLWAY_POLL_MS: '300', SPILLWAY_TIME_DIVISOR: '10' } },
  (on) => ({ stub, stack, api } = on),
);

/** The trigger is 6,400 tokens, the reserve 800: folds are prepared from 5,600 on. */
const context = { context_window: 8_000, response_reserve: 0 };
let posted = 0;
const message = (content = 'All work and no play.') => ({
  role: posted++ % 2 ? 'assistant' : 'user',
  content: `${posted}. ${content} ${'All work and no play. '.repeat(30)}`,
});

/** Posts until the thread holds this many tokens, as an append says: a later read may find it folded already. */
async function fill(id: string, tokens: number, text?: string): Promise<void> {
  for (let { live_tokens: live } = await api.thread(id); live < tokens;)
    live = (await api.append(id, message(text))).thread.live_tokens;
}

const prepared = (id: string, generation: number) =>
  until(`generation ${generation} of ${id} is prepared`, async () => {
    const { compaction } = await api.thread(id);
    return compaction.prepared?.generation === generation && compaction.state === 'idle' && compaction;
  });
const inPlace = (id: string, generation: number) =>
  until(`generation ${generation} of ${id} is in place`, async () => {
    const { compaction } = await api.thread(id);
    return compaction.generation === generation && compaction;
  });
const preview = async (id: string, policy?: object) =>
  (
    await api.call<Schemas['CompactionPreview']>(
      'POST',
      `/v1/threads/${id}/compactions/preview`,
      policy ? { policy } : {},
    )
  ).body;
const storedOf = (id: string) =>
  rowsOf<{ generation: number }>(
    stack.databaseUrl,
    `SELECT p.generation FROM prepared_summaries p JOIN threads t ON t.uid = p.thread_uid WHERE t.id = '${id}'`,
  );

test('a fold is prepared before the trigger, changes no context, and is put in place at the trigger by the same call', async () => {
  await api.createThread({ id: 'ahead', policy: { context } });
  await fill('ahead', 5_600);
  expect(await prepared('ahead', 1)).toMatchObject({ generation: 0, covered_through: 0 });
  expect(stub.calls).toHaveLength(1);
  const before = await api.context('ahead');
  expect(before.summary).toBeNull();
  // A dry run says what is prepared when, and that contexts stay as they are.
  const dryRun = await preview('ahead');
  expect(dryRun).toMatchObject({ result: 'below_trigger', trigger_tokens: 6_400, prepare_tokens: 5_600 });
  expect(dryRun.compaction.prepared).toMatchObject({ generation: 1, state: 'prepared' });
  const [ahead] = await api.summaries('ahead');
  expect(ahead).toMatchObject({ generation: 1, state: 'prepared', active: false, method: 'llm' });

  await api.append('ahead', message());
  const grown = await api.context('ahead');
  expect(grown.messages.slice(0, before.messages.length)).toEqual(before.messages);

  await fill('ahead', 6_400);
  await inPlace('ahead', 1);
  expect(stub.calls).toHaveLength(1);
  const after = await api.context('ahead');
  const newest = (await api.thread('ahead')).last_seq;
  expect(after.summary).toMatchObject({ generation: 1, to_seq: ahead!.to_seq });
  expect(after.tokens.total).toBeLessThanOrEqual(after.budget.limit);
  expect(after.messages.length).toBeGreaterThanOrEqual(newest - ahead!.to_seq);
  expect((await api.summaries('ahead'))[0]).toMatchObject({ generation: 1, state: 'active', active: true });
  expect(await storedOf('ahead')).toEqual([]);
  const attempts = await api.compactions('ahead');
  expect(attempts.map(({ outcome, trigger, generation }) => [trigger, outcome, generation])).toEqual([
    ['automatic', 'compacted', 1],
    ['ahead', 'prepared', 1],
  ]);
});

test('a dry run of a thread with a prepared summary shows the cut that it has', async () => {
  await api.createThread({ id: 'dry', policy: { context } });
  await fill('dry', 5_600);
  await prepared('dry', 1);
  const [ahead] = await api.summaries('dry');
  const workers = [...stack.workers];
  await Promise.all(workers.map((worker) => worker.stop()));
  await fill('dry', 6_400);
  const { result, cut } = await preview('dry');
  expect(result).toBe('would_compact');
  expect(cut).toMatchObject({
    ...{ prepared_generation: 1, to_seq: ahead!.to_seq },
    summarizer: { calls: 0, input_tokens: 0 },
  });
  // Settings of its own make another summary.
  const other = await preview('dry', { context: { keep_recent_turns: 1 } });
  expect(other.cut!.prepared_generation).toBeNull();
  expect(other.cut!.to_seq).toBeGreaterThan(ahead!.to_seq);
  expect(other.cut!.summarizer.calls).toBe(1);
  for (const worker of workers) await stack.restart(worker);
  await inPlace('dry', 1);
  expect((await api.summaries('dry'))[0]).toMatchObject({ generation: 1, to_seq: ahead!.to_seq });
});

test('a prepared fold is void when the policy changes, when a message is pinned, and when one is erased', async () => {
  await api.createThread({ id: 'void', policy: { context } });
  await fill('void', 5_600);
  await prepared('void', 1);
  const changes = [
    () => api.call('PATCH', '/v1/threads/void', { policy: { context: { ...context, max_images: 3 } } }),
    () => api.call('PATCH', '/v1/threads/void/messages/2', { pinned: true }),
    () => api.call('DELETE', '/v1/threads/void/messages/3'),
  ];
  for (const [i, change] of changes.entries()) {
    expect((await change()).status).toBeLessThan(300);
    expect((await api.thread('void')).compaction.prepared).toBeUndefined();
    expect(await storedOf('void')).toEqual([]);
    await api.append('void', { role: 'user', content: 'ok' });
    await fill('void', 5_600);
    await prepared('void', i + 2);
  }
  expect((await api.call('GET', '/v1/threads/void/summaries/1')).status).toBe(404);
  await fill('void', 6_400);
  await inPlace('void', 4);
  expect(stub.calls).toHaveLength(4);
});

test('what the agent used while a summary was prepared is added to its facts, with the message that said it', async () => {
  // The slot has room for a few values: those that are used over and over.
  const busy = ['ORDER_4711', 'ORDER_4712', 'ORDER_4713', 'ORDER_4714', 'ORDER_4715', 'ORDER_4716'].join(
    ', ',
  );
  await api.createThread({ id: 'used', policy: { context, summary: { max_tokens: 160 } } });
  await api.append('used', message('The gate code is HAT271X.'));
  await fill('used', 5_600, busy);
  await prepared('used', 1);
  const [ahead] = await api.summaries('used');
  expect(ahead!.text).not.toContain('HAT271X');
  await api.append('used', { role: 'assistant', content: 'I open the gate with HAT271X.' });
  await fill('used', 6_400);
  await inPlace('used', 1);
  const [put] = await api.summaries('used');
  expect(put!.facts).toMatch(/^- \[1,.*HAT271X/m);
  expect(put!.text).toContain('HAT271X');
  expect(put!.slots!.used.facts).toBeLessThanOrEqual(160);
  expect(stub.calls).toHaveLength(1);
});

test('a thread that is idle gets its prepared fold without the trigger; code folds it too, but prepares nothing', async () => {
  await api.createThread({ id: 'idle', policy: { context: { ...context, idle_ms: 2_000 } } });
  await fill('idle', 5_600);
  await inPlace('idle', 1);
  expect(stub.calls).toHaveLength(1);
  const extractive = { summary: { provider: 'extractive' } };
  await api.createThread({ id: 'code', policy: { ...extractive, context: { ...context, idle_ms: 2_000 } } });
  await fill('code', 5_600);
  await inPlace('code', 1);
  await api.createThread({ id: 'waits', policy: { ...extractive, context } });
  await fill('waits', 5_600);
  await fill('waits', 6_400);
  await inPlace('waits', 1);
  // On a busy machine a thread is over its trigger again by the time that its fold is in place.
  const triggers = async (id: string) => new Set((await api.compactions(id)).map(({ trigger }) => trigger));
  expect(await triggers('waits')).toEqual(new Set(['automatic']));
  expect(await triggers('code')).toEqual(new Set(['ahead']));
});

test('what code folds on an idle thread is archived as what is folded at the trigger is', async () => {
  const summary = { provider: 'extractive' };
  const policy = { summary, context: { ...context, idle_ms: 2_000, archive: true } };
  await api.createThread({ id: 'filed', policy });
  await fill('filed', 5_600);
  await inPlace('filed', 1);
  const [folded] = await api.summaries('filed');
  const folder = (
    await rowsOf<{ uid: string }>(stack.databaseUrl, `SELECT uid FROM threads WHERE id = 'filed'`)
  )[0]!.uid;
  const files = await readdir(stack.outputsFolder, { recursive: true });
  const archived = files.filter((file) => file.includes(`${folder}/context/`) && file.endsWith('.jsonl'));
  const lines = await Promise.all(archived.map((file) => readFile(join(stack.outputsFolder, file), 'utf8')));
  const seqs = lines
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: folded!.to_seq }, (_, i) => i + 1));
});

test('a fold that cannot be prepared leaves the thread as it is, and the trigger makes it', async () => {
  stub.answer = () => ({ status: 400, content: 'no' });
  await api.createThread({ id: 'fails', policy: { context } });
  await fill('fails', 5_600);
  await until('an attempt failed', async () => (await api.compactions('fails'))[0]?.outcome === 'failed');
  expect((await api.thread('fails')).compaction).toMatchObject({ state: 'idle', generation: 0 });
  // Each try costs a model call, and most likely ends alike: an idle thread is not tried every few minutes for ever.
  const [{ again } = {}] = await rowsOf<{ again: boolean }>(
    stack.databaseUrl,
    `SELECT prepare_at > now() + interval '1 hour' AS again FROM threads WHERE id = 'fails'`,
  );
  expect(again).toBe(true);
});

test('a request makes anew what a fallback summary covers, as its preview shows, though nothing new can be cut', async () => {
  const id = 'asked';
  const summary = { provider: 'openai-compatible', extractive_after_ms: 0, max_tokens: 300 };
  // Nothing is prepared, which would be by the model.
  const atTrigger = { ...context, prepare_ratio: null, reserve_ratio: 0.01 };
  await api.createThread({ id, policy: { context: atTrigger, summary } });
  await fill(id, 6_400);
  await inPlace(id, 1);
  expect((await api.summaries(id)).at(-1)).toMatchObject({ method: 'extractive' });
  const asked = {
    context: { trigger_ratio: 0.04, reserve_ratio: 0.01 },
    summary: { extractive_after_ms: null },
  };
  expect(await preview(id, asked)).toMatchObject({ result: 'would_compact', cut: { starts_over: true } });
  const { body } = await api.call('POST', `/v1/threads/${id}/compactions`, {
    policy: asked,
    wait_ms: 30_000,
  });
  expect(body).toMatchObject({ result: 'compacted', compaction: { generation: 2 } });
  expect((await api.summaries(id)).at(-1)).toMatchObject({ method: 'llm' });
});
