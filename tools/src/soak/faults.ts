import { setTimeout as sleep } from 'node:timers/promises';
import {
  llmFailures,
  rowsOf,
  type AppProcess,
  type ProxyMode,
  type Random,
  type StubAnswer,
} from '@spillway/testing';
import { pastLeaseMs, type World } from './world.js';

/** Injects a fault, waits, and repairs it; settles afterwards. */
export type Fault = (world: World, random: Random) => Promise<void>;

const killed = async (world: World, app: AppProcess): Promise<void> => {
  world.expectEnd(app);
  await app.kill();
  await world.stack.restart(app);
};

const terminated = async (world: World, app: AppProcess): Promise<void> => {
  world.expectEnd(app);
  const code = await app.stop();
  if (code !== 0) world.deaths.push(`a process ended with ${code} on SIGTERM: ${app.output().slice(-1_500)}`);
  await world.stack.restart(app);
};

const paused = async (app: AppProcess, ms: number): Promise<void> => {
  app.pause();
  await sleep(ms);
  app.resume();
};

const network =
  (which: 'postgres' | 'redis', mode: ProxyMode, ms: number): Fault =>
  async ({ proxies }) => {
    await proxies[which].set(mode);
    await sleep(ms);
    await proxies[which].set('pass');
  };

const model =
  (...answers: (keyof typeof llmFailures)[]): Fault =>
  async ({ stub }, random) => {
    const healthy = stub.answer;
    stub.answer = (call): StubAnswer => llmFailures[random.pick(answers)](call);
    await sleep(8_000);
    stub.answer = healthy;
  };

export const faults: Record<string, Fault> = {
  'kill -9 API': (world, random) => killed(world, random.pick(world.stack.apis)),
  'kill -9 worker': (world, random) => killed(world, random.pick(world.stack.workers)),
  'SIGTERM API': (world, random) => terminated(world, random.pick(world.stack.apis)),
  'SIGTERM worker': (world, random) => terminated(world, random.pick(world.stack.workers)),
  'worker asleep past its lease': ({ stack }, random) => paused(random.pick(stack.workers), pastLeaseMs),
  'API asleep': ({ stack }, random) => paused(random.pick(stack.apis), 5_000),
  FLUSHALL: async ({ redis }) => void (await redis.ask('FLUSHALL')),
  'Redis killed': async ({ redis }) => {
    await redis.kill();
    await sleep(4_000);
    await redis.start();
  },
  'Redis asleep': async ({ redis }) => {
    await redis.pause();
    await sleep(6_000);
    redis.resume();
  },
  'Postgres backends terminated': async ({ stack }) => {
    for (let round = 0; round < 3; round++) {
      await rowsOf(
        stack.databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await sleep(500);
    }
  },
  'Postgres stopped at once': async ({ postgres }) => {
    await postgres.down('immediate');
    await sleep(2_000);
    await postgres.start();
  },
  'Postgres killed': async ({ postgres }) => {
    await postgres.down('kill');
    await postgres.start();
  },
  'Postgres connections reset': network('postgres', 'reset', 2_000),
  'Postgres half-open': network('postgres', 'lost-replies', 5_000),
  'Postgres slow': network('postgres', { delayMs: 30, bytesPerSecond: 2_000_000 }, 5_000),
  'Redis connections reset': network('redis', 'reset', 2_000),
  'Redis half-open': network('redis', 'lost-replies', 6_000),
  'Redis slow': network('redis', { delayMs: 100 }, 5_000),
  'model answers 5xx': model('500', '503'),
  'model hangs': model('hang before headers', 'hang mid-body'),
  'model limits': model('429 with Retry-After', '429 with a date', '429 with a Retry-After that is none'),
  'model talks garbage': model(
    ...(['truncated JSON', 'wrong schema', 'not JSON', 'extra keys', 'empty content', 'refusal'] as const),
    ...([
      'cut off by length',
      'NUL in a field',
      'gzip bomb',
      'wrong content-type',
      'connection reset',
    ] as const),
  ),
};

/** Every kind once in random order, then again, so that a short run covers all kinds. */
export function* faultOrder(random: Random): Generator<string, never> {
  for (;;) {
    const left = Object.keys(faults);
    while (left.length > 0) yield left.splice(random.below(left.length), 1)[0]!;
  }
}
