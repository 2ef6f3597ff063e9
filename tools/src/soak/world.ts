import {
  apiOf,
  startStack,
  startStubLlm,
  watchMessages,
  type AppProcess,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import type { Teardown } from '@spillway/embedded';
import type { OwnPostgres, Proxy, TestRedis } from '@spillway/testing';

/** What faults are injected into. */
export interface World {
  stack: Stack;
  postgres: OwnPostgres;
  redis: TestRedis;
  proxies: { postgres: Proxy; redis: Proxy };
  stub: StubLlm;
  projects: { name: string; key: string }[];
  modelCalls(): number;
  /** Announces that a process will end on purpose. */
  expectEnd(app: AppProcess): void;
  /** Processes that ended unexpectedly, with their last log lines. */
  deaths: string[];
}

const leaseMs = 5_000;
/** A worker that was paused this long has lost its lease. */
export const pastLeaseMs = leaseMs + 3_000;

/** Small windows, so that threads are compacted all the time, and outputs that live a minute. */
const policy = {
  context: { context_window: 8_000, trigger_ratio: 0.4, response_reserve: 500 },
  outputs: { threshold_tokens: 1_000, ttl_ms: 60_000 },
  summary: { timeout_ms: 20_000 },
};

export async function makeWorld(teardown: Teardown): Promise<World> {
  const stub = await startStubLlm();
  teardown.add('the model', () => stub.stop());
  const calls = { made: 0 };
  countCalls(stub, calls);
  const stack = await startStack({
    ...{
      apis: 2,
      workers: 2,
      proxied: true,
      ownPostgres: true,
      durable: true,
      memory: 'production' as const,
    },
    env: {
      SPILLWAY_LEASE_MS: `${leaseMs}`,
      SPILLWAY_POLL_MS: '1000',
      SPILLWAY_GRACE_MS: '5000',
      ...stub.env,
    },
  });
  teardown.add('Spillway', () => stack.stop());
  await watchMessages(stack.databaseUrl);
  const projects = [{ name: 'default', key: stack.key }];
  for (const name of ['red', 'green', 'blue', 'grey'])
    projects.push({ name, key: await stack.addProject(name) });
  for (const { key } of projects) {
    const { status, body } = await apiOf({ url: stack.url, key }).call('PUT', '/v1/policy', policy);
    if (status !== 200) throw new Error(`The policy was refused: ${JSON.stringify(body)}`);
  }
  const { postgres, redis, proxies } = stack;
  if (!postgres || !redis || !proxies?.redis) throw new Error('A soak needs servers and proxies of its own.');
  const expected = new WeakSet<AppProcess>();
  const deaths: string[] = [];
  watchEnds(stack, expected, deaths);
  return {
    ...{ stack, postgres, redis, stub, projects, deaths },
    proxies: { postgres: proxies.postgres, redis: proxies.redis },
    modelCalls: () => calls.made,
    expectEnd: (app) => void expected.add(app),
  };
}

/** Calls are counted and not stored: a long run makes very many. */
function countCalls(stub: StubLlm, calls: { made: number }): void {
  const { push } = stub.calls;
  stub.calls.push = (...made) => {
    calls.made += made.length;
    stub.calls.length = 0;
    return push.apply(stub.calls, made);
  };
}

function watchEnds(stack: Stack, expected: WeakSet<AppProcess>, deaths: string[]): void {
  const watch = (name: string, app: AppProcess) =>
    void app.exited.then(({ code, signal }) => {
      if (!expected.has(app))
        deaths.push(`${name} ended by itself (${signal ?? code}): ${app.output().slice(-1_500)}`);
    });
  stack.apis.forEach((app) => watch('an API', app));
  stack.workers.forEach((app) => watch('a worker', app));
  const restart = stack.restart.bind(stack);
  stack.restart = async (ended, env) => {
    const next = await restart(ended, env);
    watch(stack.apis.includes(next) ? 'an API' : 'a worker', next);
    return next;
  };
}
