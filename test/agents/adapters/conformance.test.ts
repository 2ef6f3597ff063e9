import { apiOf } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxInstallMs } from '../frameworks/install-framework.js';
import type { Driver } from './drivers/driver.js';
import { drivers } from './drivers/drivers.js';
import { onRig, ordersModel, type RigOptions } from './adapter-rig.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});

const question = 'Which order is damaged?';
const answer = 'assistant: Damaged: order-1234.';
const listed = ['call list_orders', 'call list_orders', 'result', 'result'];
const whole = [`user: ${question}`, ...listed, 'call read_output', 'result', answer];
const hello = (...numbers: number[]) =>
  numbers.flatMap((n) => [`user: hello ${n}`, `assistant: Hello ${n}.`]);

const notes = () => Array.from({ length: 150 }, (_, i) => `note ${i}: nothing was damaged`).join('. ');
/** Calls its tool in each of nine steps of a window that holds a few of them. */
const longRun: RigOptions = {
  execute: notes,
  contextWindow: 8_000,
  // A fold that is late is no fault of an adapter.
  waitMs: 5_000,
  model: ({ step, asked }) => {
    if (/hello/.test(asked.at(-1)!)) return { text: 'Hello.' };
    return step < 9 ? { calls: [{ name: 'list_orders', args: { n: step } }] } : { text: 'All read.' };
  },
};
const smallWindow = { context: { context_window: 8_000, response_reserve: 500 } };

/** Titles of these tests are the rows of docs/adapters.md, names of drivers its columns. */
const cases = (driver: Driver): void => {
  const inside = (options: RigOptions, run: Parameters<typeof onRig>[3]) =>
    onRig(driver, stack, options, run);
  const idOf = (name: string) => `${driver.threadPrefix ?? driver.adapter}-${name}`;

  let missing: string | null = null;
  beforeAll(async () => {
    missing = (await driver.missing?.()) ?? null;
  }, maxInstallMs);
  afterAll(() => driver.stop?.());
  beforeEach(({ skip }) => {
    if (missing !== null) skip(missing);
  });

  test('A large result leaves the context before the model sees it', async () => {
    const seen: string[] = [];
    const model: typeof ordersModel = (request) => {
      seen.push(...request.results);
      return ordersModel(request);
    };
    await inside({ model }, async ({ program, provider }) => {
      await program.ask(idOf('offload'), [], question);
      expect(seen.length).toBeGreaterThan(0);
      expect(Math.max(...provider.accepted)).toBeLessThan(8_000);
      expect(seen[0]).toMatch(/out_[0-9a-f]{32}/);
      expect(seen.join()).not.toContain('order-700');
    });
  });

  test('The model reads a stub back by its own tool call', () =>
    inside({}, async ({ program }) => {
      expect((await program.ask(idOf('read'), [], question)).text).toBe('Damaged: order-1234.');
    }));

  test('Parallel calls and their results are recorded once, as pairs', () =>
    inside({}, async ({ program, recorded }) => {
      await program.ask(idOf('parallel'), [], question);
      expect((await recorded(idOf('parallel'))).slice(1, 5)).toEqual(listed);
      expect((await apiOf(stack).context(idOf('parallel'))).pending_calls).toEqual([]);
    }));

  test('The final answer is recorded', () =>
    inside({}, async ({ program, recorded }) => {
      await program.ask(idOf('final'), [], question);
      expect(await recorded(idOf('final'))).toEqual(whole);
    }));

  test('A streamed run is recorded as any other', () =>
    inside({}, async ({ program, recorded }) => {
      const { text } = await program.ask(idOf('stream'), [], question, { stream: true });
      expect(text).toBe('Damaged: order-1234.');
      expect(await recorded(idOf('stream'))).toEqual(whole);
    }));

  test('The history that the caller shows stays whole', () =>
    inside({}, async ({ program, shown, recorded }) => {
      const first = await program.ask(idOf('page'), [], question);
      expect(shown(first.page)).toEqual(whole);
      expect(JSON.stringify(first.page)).toContain('order-700');
      const second = await program.ask(idOf('page'), first.page, 'hello 2');
      expect(shown(second.page)).toEqual([...whole, ...hello(2)]);
      expect(await recorded(idOf('page'))).toEqual([...whole, ...hello(2)]);
    }));

  test('The thread has the model, the system prompt and all tools that the model is sent', () =>
    inside({}, async ({ program }) => {
      await program.ask(idOf('settings'), [], 'hello');
      const thread = await apiOf(stack).thread(idOf('settings'));
      expect(thread).toMatchObject({ model: 'gpt-4o-mini', system: 'You answer questions about orders.' });
      const tools = JSON.stringify(thread.tools);
      for (const name of ['list_orders', 'read_output', 'search_history'])
        expect(tools).toContain(`"${name}"`);
    }));

  test('What the provider counts measures the thread', () =>
    inside({ tokenRatio: 1.5 }, async ({ program }) => {
      await program.ask(idOf('usage'), [], question);
      const { measured_ratio: ratio } = await apiOf(stack).thread(idOf('usage'));
      expect(ratio).toBeGreaterThan(1.3);
      expect(ratio).toBeLessThan(1.7);
    }));

  test('A thread is folded in the middle of a run', () =>
    inside(longRun, async ({ program, provider, recorded, lines }) => {
      await apiOf(stack).call('PUT', `/v1/threads/${idOf('fold')}`, { policy: smallWindow });
      expect((await program.ask(idOf('fold'), [], 'Read the notes.')).text).toBe('All read.');
      expect((await apiOf(stack).thread(idOf('fold'))).compaction.generation).toBeGreaterThan(0);
      expect(provider.accepted).toHaveLength(10);
      const calls = Array.from({ length: 9 }, () => ['call list_orders', 'result']).flat();
      expect(await recorded(idOf('fold'))).toEqual([
        'user: Read the notes.',
        ...calls,
        'assistant: All read.',
      ]);
      expect(lines).toEqual([]);
    }));

  test('Every request is valid and fits the window, over questions, calls and folds', () =>
    inside(longRun, async ({ program, provider, another }) => {
      await apiOf(stack).call('PUT', `/v1/threads/${idOf('valid')}`, { policy: smallWindow });
      let { page } = await program.ask(idOf('valid'), [], 'hello');
      ({ page } = await program.ask(idOf('valid'), page, 'Read the notes.'));
      await another().ask(idOf('valid'), page, 'hello again', { stream: true });
      expect(provider.refused).toEqual([]);
      expect(provider.accepted).toHaveLength(11);
      expect(Math.max(...provider.accepted)).toBeLessThanOrEqual(7_500);
    }));

  test('While Spillway is down the agent goes on, and what was missed is recorded later', () =>
    inside({ execute: () => 'order-1234 is damaged' }, async ({ program, network, recorded, lines }) => {
      const id = idOf('down');
      let { page } = await program.ask(id, [], 'hello 1');
      await network.set('reset');
      ({ page } = await program.ask(id, page, 'hello 2'));
      ({ page } = await program.ask(id, page, 'hello 3'));
      expect(program.status).toMatchObject({ state: 'down', bypassed_calls: 2 });
      expect(lines).toEqual([expect.stringContaining('Spillway cannot be reached')]);
      expect(await recorded(id)).toEqual(hello(1));
      await network.set('pass');
      await program.ask(id, page, 'hello 4');
      expect(await recorded(id)).toEqual(hello(1, 2, 3, 4));
      expect(program.status).toMatchObject({ state: 'up', bypassed_calls: 2 });
      expect(lines).toEqual([lines[0], 'Spillway is back. Model calls without it: 2.']);
    }));

  test('Messages whose receipt was lost are recorded once', () =>
    inside({ timeoutMs: 1_000 }, async ({ program, network, recorded }) => {
      const id = idOf('retry');
      let { page } = await program.ask(id, [], 'hello 1');
      await network.set('lost-replies');
      ({ page } = await program.ask(id, page, 'hello 2'));
      expect((await recorded(id)).slice(2)).toContain('user: hello 2');
      await network.set('pass');
      await program.ask(id, page, 'hello 3');
      expect(await recorded(id)).toEqual(hello(1, 2, 3));
    }));

  test('Another process continues the thread', () =>
    inside({}, async ({ program, another, recorded }) => {
      const { page } = await program.ask(idOf('process'), [], question);
      await another().ask(idOf('process'), page, 'hello 2');
      expect(await recorded(idOf('process'))).toEqual([...whole, ...hello(2)]);
    }));

  test('A run that is aborted before its first call leaves a thread that the next run continues', () =>
    inside({}, async ({ program, recorded }) => {
      const signal = AbortSignal.abort();
      await expect(program.ask(idOf('early'), [], question, { signal })).rejects.toThrow();
      expect((await program.ask(idOf('early'), [], question)).text).toBe('Damaged: order-1234.');
      expect(await recorded(idOf('early'))).toEqual(whole);
    }));

  test('A run that is aborted between two calls leaves a thread that the next run continues', () => {
    const stop = new AbortController();
    const model: typeof ordersModel = (seen) => {
      if (seen.step === 1) stop.abort();
      return ordersModel(seen);
    };
    return inside({ model }, async ({ program, recorded, shown }) => {
      const id = idOf('abort');
      await expect(program.ask(id, [], question, { signal: stop.signal })).rejects.toThrow();
      const { text, page } = await program.ask(id, [], question);
      expect(text).toBe('Damaged: order-1234.');
      const lines = await recorded(id);
      expect(lines).toEqual(shown(page));
      expect(lines.slice(-3)).toEqual(['call read_output', 'result', answer]);
      expect(lines.filter((line) => line === 'result')).toHaveLength(3);
    });
  });

  test('Messages that the caller takes back are rewound', () =>
    inside({}, async ({ program, another, takeBack, recorded }) => {
      const id = idOf('back');
      let { page } = await program.ask(id, [], 'hello 1');
      ({ page } = await program.ask(id, page, 'hello twice'));
      page = await takeBack(id, page, 2);
      ({ page } = await program.ask(id, page, 'hello 2'));
      expect(await recorded(id)).toEqual(hello(1, 2));
      ({ page } = await another().ask(id, page, 'hello 3'));
      expect(await recorded(id)).toEqual(hello(1, 2, 3));
    }));

  test('Messages that the caller takes back during an outage are rewound later', () =>
    inside({}, async ({ program, network, takeBack, recorded }) => {
      const id = idOf('back-later');
      let { page } = await program.ask(id, [], 'hello 1');
      ({ page } = await program.ask(id, page, 'hello twice'));
      await network.set('reset');
      page = await takeBack(id, page, 2);
      ({ page } = await program.ask(id, page, 'hello unsent'));
      page = await takeBack(id, page, 2);
      ({ page } = await program.ask(id, page, 'hello 2'));
      await network.set('pass');
      await program.ask(id, page, 'hello 3');
      expect(await recorded(id)).toEqual(hello(1, 2, 3));
    }));

  test('A wrong key is an error, not an outage', () =>
    inside({ key: 'wrong' }, async ({ program }) => {
      await expect(program.ask(idOf('key'), [], 'hello')).rejects.toThrow(/key/i);
      expect(program.status).toMatchObject({ state: 'up', bypassed_calls: 0 });
    }));
};
describe.each(drivers.filter((driver) => !('missing' in driver)))('$adapter', cases);
// Frameworks that are installed here, which takes as long as all cases of the others.
describe.each(drivers.filter((driver) => 'missing' in driver))('$adapter', { tags: 'long' }, cases);
