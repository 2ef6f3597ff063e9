import { randomUUID } from 'node:crypto';
import { asService, openStore } from '@spillway/store';
import { rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel({ env: { SPILLWAY_POLL_MS: '200', SPILLWAY_TIME_DIVISOR: '4' } }, (on) => {
  ({ stub, stack, api } = on);
});

const context = { context_window: 8_000, trigger_ratio: 0.3 };
/** Holds answers of the model until it is opened. */
const gate = () => {
  let open!: () => void;
  const after = new Promise<void>((resolve) => (open = resolve));
  return { open, after };
};
const isAsked = (times = 1) =>
  until('the model is asked', () => Promise.resolve(stub.calls.length >= times), 60_000);
const request = async (id: string, body: object) =>
  expect((await api.call('POST', `/v1/threads/${id}/compactions`, body)).status).toBeLessThan(300);
const change = async (id: string, policy: object) =>
  expect((await api.call('PATCH', `/v1/threads/${id}`, { policy })).status).toBe(200);
const isFolded = (id: string, to: number) =>
  until('the thread is folded and idle', async () => {
    const { state, covered_through: through } = (await api.thread(id)).compaction;
    return state === 'idle' && through > to;
  });

test('a request that comes again for newer messages while the first is worked on is made for them too', async () => {
  const id = randomUUID();
  const { open, after } = gate();
  stub.answer = (call) => (stub.calls.length === 1 ? { ...stub.plain(call), after } : stub.plain(call));
  await api.createThread({ id, model: 'gpt-4o' });
  await api.append(id, ...turns(20));
  const all = { policy: { context: { trigger_tokens: 400, reserve_ratio: 0, min_reclaim_ratio: 0 } } };
  await request(id, all);
  await isAsked();
  await api.append(id, ...turns(20, { from: 20 }));
  await request(id, all);
  open();
  await isFolded(id, 30);
});

test('a thread is not parked for a model that was replaced while it was asked', async () => {
  const id = randomUUID();
  const { open, after } = gate();
  const tries = 4;
  const summary = (model: string) => ({ context, summary: { model, extractive_after_ms: null } });
  stub.answer = (call) => {
    if (call.model !== 'bad') return stub.plain(call);
    return { status: 400, after: stub.calls.length >= tries ? after : Promise.resolve() };
  };
  await api.createThread({ id, policy: summary('bad') });
  await api.append(id, ...turns(20));
  await isAsked(tries);
  await change(id, summary('good'));
  open();
  await isFolded(id, 0);
});

// After these refusals the model is not asked for a while.
test.each([
  ['parks the thread', 401, {}],
  ['backs off', 429, { 'retry-after': '600' }],
])(
  'a compaction that is requested while an attempt runs is made when the attempt %s',
  async (_, status, headers) => {
    const id = randomUUID();
    const { open, after } = gate();
    stub.answer = () => ({ status, headers, after });
    await api.createThread({ id, policy: { context } });
    await api.append(id, ...turns(20));
    await isAsked();
    await request(id, { policy: { summary: { provider: 'extractive' } } });
    open();
    await isFolded(id, 0);
  },
);

/** Runs `work` while the plan of a fold waits. */
async function whilePlanning(id: string, start: () => Promise<unknown>, work: () => Promise<unknown>) {
  const store = openStore({ url: stack.databaseUrl, maxConnections: 2, onError: () => undefined });
  const [owner] = await rowsOf<{ name: string }>(stack.databaseUrl, 'SELECT current_user AS name');
  try {
    await asService(() =>
      store.transaction(async (query) => {
        await query({ name: 'be-owner', text: `SELECT set_config('role', '${owner!.name}', true)` }, []);
        await query({ name: 'hold-plans', text: 'LOCK TABLE instructions IN ACCESS EXCLUSIVE MODE' }, []);
        await start();
        await until(
          'it is planned',
          async () => (await api.thread(id)).compaction.state === 'running',
          6_000,
        );
        await work();
      }),
    );
  } finally {
    await store.close();
  }
}
const extractive = { provider: 'extractive' };
const hardToPlease = { ...context, min_reclaim_ratio: 0.95 };

test('a thread is not parked as irreducible under a policy that was replaced while it was planned', async () => {
  const id = randomUUID();
  await api.createThread({ id, policy: { context: hardToPlease, summary: extractive } });
  await whilePlanning(
    id,
    () => api.append(id, ...turns(12)),
    () => change(id, { context, summary: extractive }),
  );
  await isFolded(id, 0);
});

test('a thread that a lower trigger makes due while a fold ahead is planned stays due', async () => {
  const id = randomUUID();
  const ahead = {
    ...hardToPlease,
    trigger_ratio: undefined,
    trigger_tokens: 3_900,
    prepare_ratio: 0.1,
    idle_ms: 1_000,
  };
  await api.createThread({ id, policy: { context: ahead, summary: extractive } });
  await api.append(id, ...turns(14));
  await whilePlanning(
    id,
    () => Promise.resolve(),
    () =>
      change(id, {
        context: { ...ahead, trigger_tokens: 2_000, min_reclaim_ratio: 0.1 },
        summary: extractive,
      }),
  );
  await isFolded(id, 0);
});
