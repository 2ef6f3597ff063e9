// @module-tag long
import type { Schemas } from '@spillway/client';
import {
  simulatePolicy,
  budgetOf,
  loadCounter,
  resolvePolicy,
  type Entry,
  type Simulation,
} from '@spillway/engine';
import { asService, openStore, readEntries, type Store } from '@spillway/store';
import { apiOf, loadFolder, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Answer = Schemas['PolicySimulation'];

let stack: Stack;
let api: Api;
let store: Store;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '100' } });
  api = apiOf(stack);
  store = openStore({ url: stack.databaseUrl, maxConnections: 2, onError: () => undefined });
});
afterAll(async () => {
  await store?.close();
  await stack?.stop();
});

const simulate = async (thread_id: string, policy: object, level = 'thread'): Promise<Answer> => {
  const answer = await api.call<Answer>('POST', '/v1/policy/simulate', { thread_id, policy, level });
  expect(answer.body).toMatchObject({ thread_id });
  return answer.body;
};

/** What really happened: a summary's range, the newest message when it landed, and the tokens it took. */
const summariesOf = (id: string) =>
  rowsOf<{ at: number; from: number; to: number; tokens: number; before: number; after: number }>(
    stack.databaseUrl,
    `SELECT s.as_of_seq AS at, s.from_seq AS from, s.to_seq AS to, s.tokens, s.tokens_before AS before, s.tokens_after AS after
     FROM summaries s JOIN threads t ON t.uid = s.thread_uid WHERE t.id = $1 ORDER BY s.generation`,
    [id],
  );

async function entriesOf(id: string): Promise<Entry[]> {
  const [thread] = await rowsOf<{ project_id: string; uid: string }>(
    stack.databaseUrl,
    'SELECT project_id, uid FROM threads WHERE id = $1',
    [id],
  );
  const window = {
    projectId: thread!.project_id,
    threadUid: thread!.uid,
    after: 0,
    through: 1e6,
    also: [],
  };
  const rows = await asService(() => readEntries(store.query, window));
  return rows.map(({ hold: _hold, holdTokens: _holdTokens, ...row }) => ({
    ...row,
    role: row.role as Entry['role'],
    calls: row.calls === null ? [] : (JSON.parse(row.calls) as string[]),
    answers: row.answers === null ? [] : [JSON.parse(row.answers) as string | string[]].flat(),
    item: row.format === 'responses',
  }));
}

function finish(steps: Generator<void, Simulation>): Simulation {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('on recorded threads, posted message by message and compacted by code', () => {
  const window = 16_000;
  const samples = loadFolder('samples');
  test.each(samples.map(({ name }) => name))(
    '%s: the first compaction is foreseen exactly, the second no later than it came',
    async (name) => {
      const { messages } = samples.find((sample) => sample.name === name)!;
      const policy = { context: { context_window: window } };
      await api.createThread({ id: name, policy });
      for (const message of messages) {
        const { thread } = await api.append(name, message);
        if (thread.compaction.state === 'idle') continue;
        await until(`${name} is settled`, async () =>
          ['idle', 'parked'].includes((await api.thread(name)).compaction.state),
        );
      }
      const real = await summariesOf(name);
      const { current, draft, sent_ratio } = await simulate(name, policy);
      const seqs = (list: { at: number }[]) => list.map(({ at }) => at).join(', ');
      const foreseen = current.compactions.map(({ at_seq: at }) => ({ at }));
      console.log(
        `${name}: ${messages.length} messages, compacted at ${seqs(real)}; simulated: ${seqs(foreseen)}`,
      );
      expect(draft).toEqual(current);
      expect([1, null]).toContain(sent_ratio);
      expect(real.length > 0).toBe(current.compactions.length > 0);
      if (real.length > 0) {
        const [first, second] = current.compactions;
        const { at, from, to, before } = real[0]!;
        expect(first).toMatchObject({ at_seq: at, from_seq: from, to_seq: to, tokens_before: before });
        // A real summary takes at most what the simulated one does.
        expect(first!.tokens_after).toBeGreaterThanOrEqual(real[0]!.after);
        if (real[1]) expect(second!.at_seq).toBeLessThanOrEqual(real[1].at);
      }

      // With the sizes the summaries really had, the replay is what happened.
      const input = { context: { context_window: window } };
      const perMessage = resolvePolicy(input).context.message_overhead;
      const counter = { text: await loadCounter('o200k'), perMessage };
      const exact = finish(
        simulatePolicy({
          policy: resolvePolicy(input),
          budget: budgetOf(input, window),
          counter,
          systemTokens: 0,
          entries: await entriesOf(name),
          summaryTokens: (_, n) => real[n]!.tokens,
        }),
      );
      expect(
        exact.compactions.map((c) => [c.atSeq, c.fromSeq, c.toSeq, c.tokensBefore, c.tokensAfter]),
      ).toEqual(real.map((s) => [s.at, s.from, s.to, s.before, s.after]));
    },
  );

  test('a trigger that comes sooner compacts more often and sends less, and what a replay cannot follow is named', async () => {
    const longest = samples.toSorted((a, b) => b.messages.length - a.messages.length)[0]!.name;
    const before = await api.thread(longest);
    const policy = {
      context: { context_window: window, trigger_tokens: 5_000, counter: 'estimate' },
      outputs: { threshold_tokens: 500 },
    };
    const { current, draft, sent_ratio, not_simulated, assumptions } = await simulate(longest, policy);
    expect(draft.compactions.length).toBeGreaterThan(current.compactions.length);
    expect(draft.tokens_sent).toBeLessThan(current.tokens_sent);
    expect(sent_ratio).toBeCloseTo(draft.tokens_sent / current.tokens_sent);
    expect(draft.budget.trigger).toBe(5_000);
    expect(draft.peak_fill).toBeCloseTo(draft.peak_tokens / window);
    expect(not_simulated).toEqual(['context.counter', 'outputs.threshold_tokens']);
    expect(assumptions.length).toBeGreaterThan(2);
    expect(await api.thread(longest)).toEqual(before);
  });
});

test("a draft of the project's policy leaves a thread's own policy on top of it", async () => {
  await api.createThread({ id: 'layered', policy: { context: { context_window: 12_000 } } });
  await api.append('layered', { role: 'user', content: 'hello' }, { role: 'assistant', content: 'hi' });
  const { draft, current } = await simulate(
    'layered',
    { context: { context_window: 50_000, trigger_tokens: 2_000 } },
    'project',
  );
  expect(draft.budget).toMatchObject({ context_window: 12_000, trigger: 2_000 });
  expect(current.budget.trigger).toBeGreaterThan(2_000);
});

test('a draft that cannot work is refused with its path, an unknown thread is not found', async () => {
  const bad = await api.call('POST', '/v1/policy/simulate', {
    thread_id: 'layered',
    policy: { context: { response_reserve: 13_000 } },
  });
  expect(bad).toMatchObject({
    status: 422,
    body: { errors: [{ path: '/policy/context/response_reserve' }] },
  });
  const theirs = apiOf({ ...stack, key: await stack.addProject('theirs') });
  for (const [of, id] of [
    [api, 'nowhere'],
    [theirs, 'layered'],
  ] as const) {
    for (const path of ['simulate', 'preview']) {
      const unknown = await of.call('POST', `/v1/policy/${path}`, { thread_id: id, policy: {} });
      expect(unknown).toMatchObject({ status: 404, body: { code: 'thread_not_found' } });
    }
  }
});

test('12,000 messages are replayed while other requests are served in between', async () => {
  await api.createThread({ id: 'long', policy: { context: { context_window: 32_000 } } });
  const [thread] = await rowsOf<{ project_id: string; uid: string }>(
    stack.databaseUrl,
    `SELECT project_id, uid FROM threads WHERE id = 'long'`,
  );
  await rowsOf(
    stack.databaseUrl,
    `INSERT INTO messages (project_id, thread_uid, seq, role, pinned, tokens, full_tokens, body, hash)
     SELECT $1::uuid, $2::uuid, n, CASE n % 2 WHEN 0 THEN 'assistant' ELSE 'user' END, false, 150 + n % 100, 150 + n % 100,
       '{}', '\\x00' FROM generate_series(1, 12000) n`,
    [thread!.project_id, thread!.uid],
  );
  await rowsOf(stack.databaseUrl, `UPDATE threads SET next_seq = 12001 WHERE uid = $1`, [thread!.uid]);
  const started = performance.now();
  let running = true;
  const simulating = simulate('long', {
    context: { context_window: 32_000, trigger_tokens: 8_000, min_reclaim_ratio: 0 },
  }).finally(() => (running = false));
  const waits: number[] = [];
  while (running) waits.push((await api.call('GET', '/healthz')).ms);
  const { current, draft, replayed } = await simulating;
  const took = performance.now() - started;
  expect(replayed).toBe(12_000);
  expect(current.compactions.length).toBeGreaterThan(50);
  expect(draft.compactions.length).toBeGreaterThan(current.compactions.length);
  waits.sort((a, b) => a - b);
  const at = (share: number) => Math.round(waits[Math.floor(waits.length * share)] ?? waits.at(-1)!);
  console.log(
    `12,000 messages: ${Math.round(took)} ms; ${waits.length} other requests meanwhile, p50 ${at(0.5)} ms, worst ${Math.round(waits.at(-1)!)} ms`,
  );
  expect(waits.at(-1)).toBeLessThan(took / 2);
});
