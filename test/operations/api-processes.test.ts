// @module-tag long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { apiOf, processTree, signalAll, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound, post } from '../faults/fault-rig.js';
import { operatorPassword, scrape } from './scrape.js';

const settings = { SPILLWAY_OPERATOR_PASSWORD: operatorPassword, LOG_LEVEL: 'info' };

/** Pids of the processes that answered requests, by their log lines. */
const answeredBy = (output: string): Set<number> =>
  new Set(
    [...output.matchAll(/^\{.*"msg":"request".*$/gm)].map(
      ([line]) => (JSON.parse(line) as { pid: number }).pid,
    ),
  );

const logged = (output: string, msg: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Posts with some requests in flight until it is stopped; returns each acknowledged id with its seq. */
function load(stack: Stack, thread: string) {
  const acked = new Map<string, number>();
  let stopped = false;
  let n = 0;
  const writer = async () => {
    while (!stopped) {
      const id = `m${n++}`;
      acked.set(id, (await post(stack.url, stack.key, thread, { role: 'user', content: id, id })).seq);
    }
  };
  const writers = Promise.all(Array.from({ length: 6 }, writer));
  return {
    acked,
    stop: async () => {
      stopped = true;
      await writers;
      return acked;
    },
  };
}

async function expectRecorded(api: Api, thread: string, acked: Map<string, number>): Promise<void> {
  const records = await api.originals(thread);
  expect(acked.size).toBeGreaterThan(10);
  expect([...acked].filter(([id, seq]) => records[seq - 1]?.content !== id)).toEqual([]);
}

describe('an API of three processes', () => {
  let stack: Stack;
  let api: Api;
  /** The processes that serve, without the one that supervises them. */
  let serving: number[];
  beforeAll(async () => {
    stack = await startStack({ workers: 0, redis: false, env: { ...settings, API_WORKERS: '3' } });
    api = apiOf(stack);
    await untilServing(3);
    serving = await processesOf(stack);
  });
  afterAll(() => stack?.stop());

  const processesOf = async ({ apis }: Stack) => (await processTree(apis[0]!.pid)).slice(1);
  const untilServing = (count: number) =>
    until(`${count} processes serve`, async () => {
      const found = await scrape(stack.url).catch(() => undefined);
      return found?.value('spillway_api_processes') === count;
    });

  test('answers on one port by each of them', async () => {
    expect(serving).toHaveLength(3);
    await until('each has answered', async () => {
      await Promise.all(Array.from({ length: 12 }, () => api.call('GET', '/v1/threads')));
      return answeredBy(stack.api.output()).size === 3;
    });
    expect([...answeredBy(stack.api.output())].sort()).toEqual([...serving].sort());
  });

  test('has metrics that add up, whichever process is asked', async () => {
    const before = await scrape(stack.url);
    const appended = Array.from({ length: 60 }, (_, i) =>
      api.append(`counted-${i % 9}`, { role: 'user', content: `message ${i}` }),
    );
    await Promise.all(appended);
    const after = await Promise.all(Array.from({ length: 8 }, () => scrape(stack.url)));
    for (const one of after) {
      const added = (name: string, labels = {}) =>
        one.value(name, labels)! - (before.value(name, labels) ?? 0);
      expect(added('spillway_messages_recorded_total')).toBe(60);
      const route = { route: '/v1/threads/{id}/messages', method: 'POST', status: '2xx' };
      expect(added('spillway_http_request_duration_seconds_count', route)).toBe(60);
      expect(added('spillway_http_request_duration_seconds_bucket', { ...route, le: '+Inf' })).toBe(60);
      expect(one.value('spillway_build_info')).toBe(1);
      expect(one.value('spillway_postgres_up')).toBe(1);
      expect(one.value('spillway_threads', { state: 'due' })).toBe(0);
      expect(one.value('spillway_postgres_pool_max_connections')).toBe(24);
    }
  });

  test('counts the CPU and memory of all, the supervisor included', async () => {
    const now = await scrape(stack.url);
    const resident = async (pid: number) =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
    const [supervisor, ...others] = await Promise.all([stack.api.pid, ...serving].map(resident));
    const sum = others.reduce((total, one) => total + one, supervisor!);
    // Memory changes between the two readings.
    expect(Math.abs(now.value('process_resident_memory_bytes')! / sum - 1)).toBeLessThan(0.2);
    expect(supervisor).toBeLessThan(Math.min(...others) / 2);
    expect(now.value('process_start_time_seconds')).toBeGreaterThan(Date.now() / 1_000 - 600);
  });

  test('exports the same metrics as one process', async () => {
    const single = await stack.startApi({ API_WORKERS: '1' });
    try {
      const [one, three] = await Promise.all([scrape(single.url), scrape(stack.url)]);
      expect([...three.types].sort()).toEqual([...one.types].sort());
      expect(one.value('spillway_api_processes')).toBe(1);
    } finally {
      await single.kill();
    }
  });

  test.each([
    {
      how: 'is killed',
      signal: 'SIGKILL',
      ended: { code: null, signal: 'SIGKILL', delayMs: 100 },
      restarts: 1,
    },
    { how: 'is asked to stop', signal: 'SIGTERM', ended: { code: 0, signal: null }, restarts: 2 },
  ] as const)(
    'starts a process again that $how, loses no acknowledged append and no count of a scrape',
    async ({ signal, ended, restarts }) => {
      const thread = `after-${signal}`;
      const running = load(stack, thread);
      await until('there is load', () => Promise.resolve(running.acked.size > 20));
      const before = await scrape(stack.url);
      const [victim] = await processesOf(stack);
      process.kill(victim!, signal);
      const line = await until('its end is logged', () =>
        Promise.resolve(
          logged(stack.api.output(), 'a process of the API ended; it is started again').find(
            (one) => one.process === victim,
          ),
        ),
      );
      expect(line).toMatchObject({ level: 50, name: 'api', ...ended });
      const names = [
        'spillway_messages_recorded_total',
        'spillway_appends_total',
        'process_cpu_seconds_total',
      ];
      await until('another process serves', async () => {
        const now = await scrape(stack.url).catch(() => undefined);
        if (!now) return false;
        // A sum that shrinks looks like a restart of all to Prometheus.
        for (const name of names) expect(now.value(name)).toBeGreaterThanOrEqual(before.value(name)!);
        return (
          now.value('spillway_api_processes') === 3 &&
          now.value('spillway_api_process_restarts_total') === restarts
        );
      });
      await expectRecorded(api, thread, await running.stop());
      const now = await processesOf(stack);
      expect(now).toHaveLength(3);
      expect(now).not.toContain(victim);
      await expectSound(stack);
    },
  );

  test('counts each process that it starts again, also one that ends before it reports', async () => {
    const name = 'spillway_api_process_restarts_total';
    const before = (await scrape(stack.url)).value(name)!;
    const known = await processesOf(stack);
    let victim = known[0]!;
    for (let ends = 1; ends <= 3; ends++) {
      process.kill(victim, 'SIGKILL');
      victim = await until('another is started', async () =>
        (await processesOf(stack)).find((pid) => !known.includes(pid)),
      );
      known.push(victim);
    }
    await untilServing(3);
    expect((await scrape(stack.url)).value(name)).toBe(before + 3);
  });

  test('stops all of them in time by one signal, and loses nothing', async () => {
    const running = load(stack, 'stopped');
    await until('there is load', () => Promise.resolve(running.acked.size > 20));
    const pids = await processTree(stack.api.pid);
    expect(pids).toHaveLength(4);
    // It ends with 1 when a process had to be killed because its time was up.
    expect(await stack.api.stop()).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    await stack.restart(stack.api);
    await expectRecorded(api, 'stopped', await running.stop());
  });

  test('ends well when a terminal sends SIGINT to all of them', async () => {
    const other = await stack.startApi();
    const pids = await until('it has started', async () => {
      const tree = await processTree(other.pid);
      return tree.length === 4 && tree;
    });
    signalAll(pids, 'SIGINT');
    expect(await other.exited).toEqual({ code: 0, signal: null });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('leaves no process behind when the supervisor is killed', async () => {
    await untilServing(3);
    const pids = await processesOf(stack);
    await stack.apis[0]!.kill();
    await until('all are gone', () => Promise.resolve(!pids.some(isAlive)));
    expect(pids).toHaveLength(3);
  });
});

describe('an API whose settings cannot work ends, as one process does', () => {
  const run = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['apps/api/dist/bundle/main.js'], {
      env: { ...process.env, ...env },
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    // At 'exit' what it printed may not have arrived.
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, printed: printed.trim() };
  };

  test('when API_WORKERS is no number of processes', async () => {
    expect(await run({ API_WORKERS: 'many' })).toEqual({
      code: 1,
      printed: 'API_WORKERS must be a whole number from 1 to 64 and is "many".',
    });
  });

  test.each(['1', '2'])('with API_WORKERS=%s and another setting that is wrong', async (API_WORKERS) => {
    const ended = await run({ API_WORKERS, DATABASE_URL: 'nowhere' });
    expect(ended).toEqual({ code: 1, printed: 'DATABASE_URL must be a postgresql:// URL' });
  });
});
