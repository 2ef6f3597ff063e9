import type { Schemas } from '@spillway/client';
import { randomUUID } from 'node:crypto';
import { apiOf, rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { runCommand } from '../cli/run-program.js';
import { folding, settled, turns } from '../folding-thread.js';
import { operatorHeader, operatorPassword, scrape } from '../operations/scrape.js';
import { stackWithModel } from '../stack-with-model.js';

let stub: StubLlm;
let stack: Stack;
let first: Api;
const env = {
  SPILLWAY_POLL_MS: '200',
  SPILLWAY_LEASE_MS: '3000',
  SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
};
stackWithModel({ env }, (on) => ({ stub, stack, api: first } = on));

interface OwnProject {
  id: string;
  api: Api;
  key: string;
}
/** A project of its own, for whoever pauses one. */
async function newProject(): Promise<OwnProject> {
  const made = await operator<Schemas['ProjectCreated']>('POST', '/v1/projects', { name: randomUUID() });
  return { id: made.id, key: made.key, api: apiOf({ url: stack.url, key: made.key }) };
}

async function operator<T = unknown>(method: string, path: string, body?: object): Promise<T> {
  const answer = await first.call<T>(method, path, body, operatorHeader(operatorPassword));
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const pause = (id?: string) =>
  operator<Schemas['Project']>('POST', `${id ? `/v1/projects/${id}` : '/v1/server'}/compaction/pause`);
const resume = (id?: string) =>
  operator<Schemas['Project']>('POST', `${id ? `/v1/projects/${id}` : '/v1/server'}/compaction/resume`);
afterEach(() => resume());

const queueOf = async (api: Api) => (await api.call<Schemas['Queue']>('GET', '/v1/queue')).body;
const attemptsOf = async (api: Api, id: string) =>
  (await api.call<{ data: Schemas['CompactionAttempt'][] }>('GET', `/v1/threads/${id}/compactions`)).body
    .data;
const fields = {
  task_overview: 'Dull threads.',
  current_state: 'Twenty turns are told.',
  important_discoveries: 'None.',
  next_steps: 'Go on.',
  context_to_preserve: 'Nothing.',
};
/** Longer than several polls of a worker, which would take what is due. */
const pollsPass = () => new Promise((resolve) => setTimeout(resolve, 1_500));

/** Holds answers of the model until it is opened. */
function gate(): { open: () => void; after: Promise<void> } {
  const { promise: after, resolve: open } = Promise.withResolvers<void>();
  return { open, after };
}

test('no worker compacts threads of a paused project; its agents and other projects go on, and nothing is lost', async () => {
  const [paused, other] = [await newProject(), await newProject()];
  const { compaction_paused_at: since } = await pause(paused.id);
  expect(Date.parse(since!)).toBeGreaterThan(0);
  expect((await pause(paused.id)).compaction_paused_at).toBe(since);
  for (const { api } of [paused, other]) {
    await api.createThread({ id: 'work', policy: folding });
    await api.append('work', ...turns(30));
  }
  await settled(other.api, 'work', 1);
  await pollsPass();
  const thread = await paused.api.thread('work');
  expect(thread).toMatchObject({ last_seq: 30, compaction: { state: 'due', generation: 0 } });
  expect(await attemptsOf(paused.api, 'work')).toEqual([]);
  const context = await paused.api.context('work');
  expect(context.tokens.total).toBeLessThanOrEqual(thread.limit_tokens);
  await paused.api.append('work', { role: 'user', content: 'one more' });

  await resume(paused.id);
  await settled(paused.api, 'work', 1);
  const { body: audit } = await paused.api.call<Schemas['AuditList']>('GET', '/v1/audit');
  const changes = audit.data.filter(({ action }) => action.startsWith('compaction.'));
  expect(changes.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    'compaction.resumed operator',
    'compaction.paused operator',
  ]);
});

test('a fold that runs when compaction is paused takes no effect, counts as no failure, and is made after the pause', async () => {
  const { id: projectId, api } = await newProject();
  const { open, after } = gate();
  stub.answer = (call) => (stub.calls.length === 1 ? { ...stub.plain(call), after } : stub.plain(call));
  await api.createThread({ id: 'held', policy: folding });
  await api.append('held', ...turns(30));
  await until('the model is asked', () => Promise.resolve(stub.calls.length === 1));
  await pause(projectId);
  open();
  const [ended] = await until('the attempt has ended', async () => {
    const attempts = await attemptsOf(api, 'held');
    return attempts[0]?.outcome != null && attempts;
  });
  expect(ended).toMatchObject({ outcome: 'released', reason: 'compaction_paused', generation: null });
  await pollsPass();
  expect((await api.thread('held')).compaction).toMatchObject({ state: 'due', generation: 0 });
  const [row] = await rowsOf(stack.databaseUrl, 'SELECT attempt FROM threads WHERE project_id = $1', [
    projectId,
  ]);
  expect(row).toEqual({ attempt: 0 });

  await resume(projectId);
  await settled(api, 'held', 1);
  expect(await attemptsOf(api, 'held')).toHaveLength(2);
});

test('a model call that goes on while compaction is paused is given up with the next renewal of its lease', async () => {
  const { id: projectId, api } = await newProject();
  const { open, after } = gate();
  stub.answer = (call) => ({ ...stub.plain(call), after });
  await api.createThread({ id: 'slow', policy: folding });
  await api.append('slow', ...turns(30));
  await until('the model is asked', () => Promise.resolve(stub.calls.length === 1));
  await pause(projectId);
  try {
    await until(
      'the attempt has ended',
      async () => (await attemptsOf(api, 'slow'))[0]?.outcome === 'released',
    );
  } finally {
    open();
    await resume(projectId);
  }
});

test('many due threads are all folded after the pause of all projects, and none twice', async () => {
  const many = await Promise.all([newProject(), newProject()]);
  await pause();
  const ids = Array.from({ length: 10 }, (_, i) => `t-${i}`);
  for (const { api } of many)
    for (const id of ids) {
      await api.createThread({ id, policy: { ...folding, summary: { provider: 'extractive' } } });
      await api.append(id, ...turns(20));
    }
  await pollsPass();
  for (const { api } of many) {
    expect((await queueOf(api)).counts).toMatchObject({ due: 10, running: 0 });
    expect(await queueOf(api)).toMatchObject({
      oldest_due_ms: null,
      paused_at: expect.any(String) as string,
    });
  }
  await Promise.all([resume(), resume()]);
  for (const { api } of many) {
    await until('every thread is folded', async () => (await queueOf(api)).counts.due === 0, 60_000);
    for (const id of ids) {
      const thread = await settled(api, id, 1);
      expect(thread).toMatchObject({ last_seq: 20, compaction: { generation: 1 } });
      expect(await attemptsOf(api, id)).toHaveLength(1);
    }
  }
});

test('a compaction that is requested while compaction is paused says so at once, and is made after the pause', async () => {
  const { id: projectId, api } = await newProject();
  await api.createThread({ id: 'asked', policy: { context: { context_window: 8_000, trigger_ratio: 0.9 } } });
  // Too few for a fold ahead of the trigger, which would run at the time of the pause.
  await api.append('asked', ...turns(10));
  await pause(projectId);
  const now = { context: { trigger_tokens: 400, reserve_ratio: 0, min_reclaim_ratio: 0 } };
  const began = performance.now();
  const { status, body } = await api.call('POST', '/v1/threads/asked/compactions', {
    policy: now,
    wait_ms: 20_000,
  });
  expect({ status, body }).toMatchObject({
    status: 202,
    body: { result: 'paused', compaction: { state: 'due' } },
  });
  expect(performance.now() - began).toBeLessThan(15_000);
  await resume(projectId);
  await settled(api, 'asked', 1);
  expect((await attemptsOf(api, 'asked'))[0]).toMatchObject({ trigger: 'manual', outcome: 'compacted' });
});

test('what a caller writes, and what a person takes back, goes on while compaction is paused', async () => {
  const { id: projectId, api } = await newProject();
  await api.createThread({ id: 'bad', policy: folding });
  await api.append('bad', ...turns(30));
  await settled(api, 'bad', 1);
  await pause(projectId);
  const withdrawn = await api.call('POST', '/v1/threads/bad/summaries/1/quarantine');
  expect(withdrawn.status).toBeLessThan(300);
  expect((await api.thread('bad')).compaction.generation).toBe(0);
  await pollsPass();
  expect((await api.thread('bad')).compaction.generation).toBe(0);
  const written = await api.call('POST', '/v1/threads/bad/summaries', { to_seq: 10, fields });
  expect(written.status, JSON.stringify(written.body)).toBeLessThan(300);
  expect((await api.thread('bad')).compaction.covered_through).toBe(10);
  await resume(projectId);
});

test('a pause shows in the concerns, the metrics and the doctor, and is none of workers that are late', async () => {
  const { id: projectId, api, key } = await newProject();
  await pause(projectId);
  await api.createThread({ id: 'waits', policy: folding });
  await api.append('waits', ...turns(18));
  await rowsOf(
    stack.databaseUrl,
    `UPDATE threads SET requested_at = requested_at - interval '1 hour' WHERE project_id = $1`,
    [projectId],
  );
  const concerns = async () =>
    (await api.call<Schemas['Attention']>('GET', '/v1/attention')).body.concerns.map(
      ({ kind, count, reason }) => ({ kind, count, reason }),
    );
  const own = { kind: 'compaction_paused', count: 1 };
  expect(await concerns()).toEqual([
    { ...own, reason: expect.stringMatching(/^this project, since 2/) as string },
  ]);
  await pause();
  expect(await concerns()).toEqual([
    { ...own, reason: expect.stringMatching(/^all projects, since 2/) as string },
  ]);
  expect(await operator('GET', '/v1/server/compaction')).toEqual({
    paused_at: expect.any(String) as string,
    paused_projects: 1,
  });
  const metrics = await until('the gauges are read again', async () => {
    const scraped = await scrape(stack.url);
    return scraped.value('spillway_compaction_paused', { scope: 'server' }) === 1 && scraped;
  });
  expect(metrics.value('spillway_compaction_paused', { scope: 'projects' })).toBe(1);
  expect(metrics.value('spillway_oldest_due_seconds')).toBe(0);
  const { stdout } = await runCommand({ url: stack.url, key }, ['doctor']);
  expect(stdout).toContain('The operator paused the compaction of threads');

  await resume(projectId);
  await resume();
  await settled(api, 'waits', 1);
  expect(await concerns()).toEqual([]);
});
