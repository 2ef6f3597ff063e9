import { apiOf, plainFields, rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { startReceiver } from '../events/webhook-receiver.js';
import { stackWithModel } from '../stack-with-model.js';
import { added, operatorPassword, scrape, small, talk } from './scrape.js';

let llm: StubLlm;
let stack: Stack;
/** A project of its own for each test: a failing model pauses only its project. */
let api: Api;
let projects = 0;
const env = {
  SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
  // A worker that began nothing for two such times does without jobs, as it does when Redis delivers none: on a busy
  // machine a job takes more than a second to come.
  SPILLWAY_POLL_MS: '10000',
  SPILLWAY_TIME_DIVISOR: '20',
  SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1',
};
stackWithModel({ env }, (on) => ({ stub: llm, stack } = on));
beforeEach(async () => {
  api = apiOf({ url: stack.url, key: await stack.addProject(`metrics-${++projects}`) });
});

const ofApi = () => scrape(stack.url);
const ofWorker = () => scrape(stack.workers[0]!.url);

describe('the metrics of a worker', () => {
  /** The worker has counted its attempts at a thread when the thread shows how they ended. */
  const fold = async (id: string) => {
    await api.createThread({ id, policy: small });
    await api.append(id, ...talk);
    await until(`${id} is settled`, async () =>
      ['idle', 'parked', 'backoff'].includes((await api.thread(id)).compaction.state),
    );
  };

  test('count a compaction: its wait, what it folded, its model call and how faithful the summary is', async () => {
    const prices = { context_window: 8_192, input_price: 2, output_price: 10, cached_input_price: 0.5 };
    await api.call('PUT', '/v1/models/gpt-4o-mini', prices);
    const folded = await added(ofWorker, async () => {
      await fold('folds');
      // It is counted before it is written, which is after the thread shows the summary.
      await until('what each attempt spent is written', async () =>
        (await api.compactions('folds')).every((attempt) => attempt.input_tokens !== null),
      );
    });
    const job = { queue: 'compact-thread', outcome: 'done' };
    await until(
      'its job has ended',
      async () => ((await ofWorker()).value('spillway_job_duration_seconds_count', job) ?? 0) > 0,
    );
    const made = await api.compactions('folds');
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ outcome }) => outcome))).toEqual(new Set(['compacted']));
    expect(folded('spillway_compaction_attempts_total', { outcome: 'compacted' })).toBe(made.length);
    expect(folded('spillway_compaction_trigger_to_summary_seconds_count')).toBe(made.length);
    expect(folded('spillway_summary_fidelity_ratio_count', { method: 'llm' })).toBe(made.length);
    const saved = made.reduce((sum, { tokens_before: was, tokens_after: is }) => sum + was! - is!, 0);
    expect(folded('spillway_compaction_folded_tokens_total')).toBe(saved);
    const calls = { purpose: 'summary', outcome: 'ok' };
    expect(folded('spillway_provider_call_duration_seconds_count', calls)).toBeGreaterThanOrEqual(
      made.length,
    );
    expect(folded('spillway_provider_tokens_total', { purpose: 'summary', kind: 'input' })).toBeGreaterThan(
      0,
    );
    expect(folded('spillway_provider_cost_usd_total', { purpose: 'summary' })).toBeGreaterThan(0);
  });

  test(
    'show a provider that refuses the key, and the thread that is parked for it',
    { tags: 'long' },
    async () => {
      llm.answer = () => ({ status: 401 });
      const refused = await added(ofWorker, () => fold('no-key'));
      expect(refused('spillway_provider_call_duration_seconds_count', { outcome: 'auth' })).toBe(1);
      expect(refused('spillway_compaction_attempts_total', { outcome: 'parked', reason: 'auth' })).toBe(1);
      await until('a scrape shows it', async () => {
        const now = await ofApi();
        return (
          now.value('spillway_parked_threads', { reason: 'auth' }) === 1 &&
          now.value('spillway_threads', { state: 'parked' }) === 1
        );
      });
    },
  );

  test('show an outage of the provider, and the thread that waits for it', async () => {
    llm.answer = () => ({ status: 500 });
    const failed = await added(ofWorker, () => fold('outage'));
    expect(
      failed('spillway_provider_call_duration_seconds_count', { outcome: 'unavailable' }),
    ).toBeGreaterThan(0);
    expect(
      failed('spillway_compaction_attempts_total', { outcome: 'failed', reason: 'unavailable' }),
    ).toBeGreaterThan(0);
  });

  test('count a summary that the minimum of fidelity refuses', { tags: 'long' }, async () => {
    const codes = Array.from({ length: 8 }, (_, i) => `ORDER_${7740 + i}`).join(', ');
    llm.answer = (call) => ({
      content: { ...plainFields(call), current_state: 'All is well.', important_discoveries: 'Looked at.' },
    });
    const policy = {
      context: { context_window: 8_000, response_reserve: 0, trigger_ratio: 0.3, prepare_ratio: null },
      summary: { max_tokens: 160, min_fidelity: 0.9 },
    };
    const refused = await added(ofWorker, async () => {
      await api.createThread({ id: 'faithful', policy });
      await api.append('faithful', { role: 'assistant', content: `I look at ${codes}.` });
      await api.append('faithful', { role: 'user', content: 'From now on answer in German.' }, ...talk);
      await until('it was folded', async () => (await api.summaries('faithful')).length > 0);
    });
    expect(refused('spillway_summaries_below_minimum_total', { method: 'llm' })).toBe(1);
  });

  test('show how long the oldest thread has been due while no worker takes it', async () => {
    stack.workers[0]!.pause();
    try {
      await api.createThread({ id: 'waits', policy: small });
      await api.append('waits', ...talk);
      await rowsOf(
        stack.databaseUrl,
        "UPDATE threads SET requested_at = now() - interval '1 hour' WHERE id = 'waits'",
      );
      const now = await until('a scrape shows it', async () => {
        const now = await ofApi();
        return now.value('spillway_oldest_due_seconds')! >= 3_600 ? now : undefined;
      });
      expect(now.value('spillway_oldest_due_seconds')).toBeLessThan(7_200);
      expect(now.value('spillway_threads', { state: 'due' })).toBeGreaterThanOrEqual(1);
    } finally {
      stack.workers[0]!.resume();
    }
    await until('nothing is due', async () => (await ofApi()).value('spillway_oldest_due_seconds') === 0);
  });

  test('count webhooks that were delivered and those that failed, and sweeps', async () => {
    const receiver = await startReceiver();
    try {
      const made = await api.call<{ secret: string }>('POST', '/v1/webhooks', {
        url: receiver.url,
        types: ['message.recorded'],
      });
      receiver.secret = made.body.secret;
      receiver.answer = () => (receiver.received.length === 1 ? 500 : 200);
      const sent = await added(ofWorker, async () => {
        await api.append('announced', talk[0]!);
        await until('it was delivered', async () => {
          const now = await ofWorker();
          return (now.value('spillway_webhook_deliveries_total', { outcome: 'delivered' }) ?? 0) >= 1;
        });
      });
      expect(receiver.received).toHaveLength(2);
      expect(sent('spillway_webhook_deliveries_total', { outcome: 'retried' })).toBe(1);
      expect(sent('spillway_webhook_deliveries_total', { outcome: 'delivered' })).toBe(1);
    } finally {
      await receiver.stop();
    }
    await until(
      'a sweep ran',
      async () =>
        ((await ofWorker()).value('spillway_sweeps_total', { sweep: 'outputs', outcome: 'done' }) ?? 0) > 0,
    );
    const queues = (await ofWorker()).samples.filter(({ name }) => name === 'spillway_queue_jobs');
    expect(new Set(queues.map(({ labels }) => labels.queue)).size).toBe(3);
  });
});
