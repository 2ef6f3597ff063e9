import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, rowsOf, type Stack } from '@spillway/testing';
import { each } from '../load/each.js';
import type { Meter } from './meter.js';
import { perOne, type Spent } from './spent.js';
import { callWithResult, messagesOf } from '../load/texts.js';

/** What one operation spent, in a mean over `count` of them. */
export interface Measured {
  spent: Spent;
  count: number;
}

/** What the operations are done on, and what measures them. */
export interface Measuring {
  stack: Stack;
  meter: Meter;
  /** Takes what makes the measurement invalid. */
  complain: (what: string) => void;
}

const inFlight = 16;

/** Nothing is asked for: workers look for work, and Postgres and Redis keep themselves in order. By second. */
export async function idle({ meter }: Measuring): Promise<Spent> {
  const spent = await meter.during(() => sleep(10_000));
  return perOne(spent, spent.seconds);
}

/** Messages of 1 KB, one in a request, to so many threads in turns. */
export async function appends(
  measuring: Measuring,
  prefix: string,
  threads: number,
  count: number,
): Promise<Measured> {
  const { stack, meter } = measuring;
  const api = apiOf(stack);
  const append = (n: number) => api.append(`${prefix}-${n % threads}`, ...messagesOf(`${prefix}-${n}`, 1));
  // Threads exist, and statements are prepared, before anything is measured.
  await each(threads, inFlight, append);
  const spent = await meter.during(() => each(count, inFlight, (n) => append(threads + n)));
  await expectMessages(measuring, prefix, threads + count);
  return { spent: perOne(spent, count), count };
}

const wideThreads = 40_000;
const wideStep = 20;

/**
 * The same right after a checkpoint, to every twentieth of 40,000 threads: their rows are in as many pages, and the log
 * holds each page whole. The other threads are copies that Postgres makes of one that was written by the API.
 */
export async function appendsToColdPages(measuring: Measuring): Promise<Measured> {
  const { stack, meter } = measuring;
  const api = apiOf(stack);
  await api.append('wide-0', ...messagesOf('wide', 1));
  await rowsOf(
    stack.databaseUrl,
    `WITH copies AS (
      INSERT INTO threads SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'wide-' || n, 'uid', gen_random_uuid()))).*
        FROM threads t, generate_series(1, $1::int - 1) n WHERE t.id = 'wide-0' RETURNING uid)
    INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('thread_uid', c.uid))).*
      FROM copies c, messages m JOIN threads t ON t.uid = m.thread_uid WHERE t.id = 'wide-0'`,
    [wideThreads],
  );
  await meter.checkpoint();
  const count = wideThreads / wideStep;
  const spent = await meter.during(() =>
    each(count, inFlight, (n) => api.append(`wide-${n * wideStep}`, ...messagesOf(`wide-${n}`, 1))),
  );
  await expectMessages(measuring, 'wide', wideThreads + count);
  return { spent: perOne(spent, count), count };
}

/** Large enough that nothing is folded. */
const wholePolicy = { context: { context_window: 200_000 } };

const contextThreads = 100;
const contextRounds = 8;
const contextStart = 20;

/**
 * Contexts of threads of 21 to 28 messages: each once after an append, which is not measured, and once more when
 * nothing changed.
 */
export async function contexts(measuring: Measuring): Promise<Record<'changed' | 'unchanged', Measured>> {
  const { stack, meter, complain } = measuring;
  const api = apiOf(stack);
  const id = (n: number) => `read-${n}`;
  await each(contextThreads, inFlight, async (n) => {
    await api.createThread({ id: id(n), policy: wholePolicy });
    await api.append(id(n), ...messagesOf(id(n), contextStart));
  });
  const spent: Record<'changed' | 'unchanged', Spent[]> = { changed: [], unchanged: [] };
  for (let round = 1; round <= contextRounds; round++) {
    await each(contextThreads, inFlight, (n) => api.append(id(n), ...messagesOf(`${id(n)}-${round}`, 1)));
    for (const kind of ['changed', 'unchanged'] as const) {
      const read = async (n: number): Promise<void> => {
        const { last_seq: last, messages } = await api.context(id(n));
        if (last !== contextStart + round || messages.length !== last)
          complain(`the context of ${id(n)} ends at ${last} and has ${messages.length} messages`);
      };
      spent[kind].push(await meter.during(() => each(contextThreads, inFlight, read)));
    }
  }
  const count = contextThreads * contextRounds;
  const mean = (some: readonly Spent[]): Measured => ({ spent: perOne(total(some), count), count });
  return { changed: mean(spent.changed), unchanged: mean(spent.unchanged) };
}

function total(some: readonly Spent[]): Spent {
  const sum = { ...some[0]! };
  for (const each of some.slice(1))
    for (const key of Object.keys(sum) as (keyof Spent)[]) sum[key] += each[key];
  return sum;
}

const foldPolicy = { context: { context_window: 16_000 } };
const beforeFold = 24;
const crossing = 24;
const foldsWithinMs = 180_000;

/**
 * Threads of a window of 16,000 tokens that cross their trigger with an append of 24 messages, which is measured with
 * the fold. Says how many messages a fold covered, in the mean.
 */
export async function folds(
  measuring: Measuring,
  prefix: string,
  count: number,
): Promise<Measured & { covered: number }> {
  const { stack, meter, complain } = measuring;
  const api = apiOf(stack);
  const id = (n: number) => `${prefix}-${n}`;
  await each(count, inFlight, async (n) => {
    await api.createThread({ id: id(n), policy: foldPolicy });
    const { thread } = await api.append(id(n), ...messagesOf(id(n), beforeFold));
    if (thread.compaction.state !== 'idle')
      complain(`${id(n)} is ${thread.compaction.state} before its fold`);
  });
  const spent = await meter.during(async () => {
    await each(count, inFlight, (n) => api.append(id(n), ...messagesOf(`${id(n)}-late`, crossing)));
    await untilFolded(measuring, prefix, count);
  });
  const [stored] = await rowsOf<{ folds: number; covered: number }>(
    stack.databaseUrl,
    `SELECT sum(generation)::int AS folds, avg(covered_through)::float AS covered FROM threads WHERE id LIKE $1`,
    [`${prefix}-%`],
  );
  if (stored!.folds !== count) complain(`${count} threads were folded ${stored!.folds} times`);
  await expectMessages(measuring, prefix, count * (beforeFold + crossing));
  return { spent: perOne(spent, count), count, covered: stored!.covered };
}

/** Looks seldom, so that looking costs little of what is measured. */
async function untilFolded({ stack, complain }: Measuring, prefix: string, count: number): Promise<void> {
  const until = performance.now() + foldsWithinMs;
  for (;;) {
    const [row] = await rowsOf<{ folded: number }>(
      stack.databaseUrl,
      `SELECT count(*)::int AS folded FROM threads
        WHERE id LIKE $1 AND generation > 0 AND lease_until IS NULL AND NOT needs_compaction`,
      [`${prefix}-%`],
    );
    if (row!.folded === count) return;
    if (performance.now() > until)
      return complain(`${row!.folded} of ${count} threads were folded within ${foldsWithinMs} ms`);
    await sleep(250);
  }
}

/** A tool call and its result of 100 KB in a request; the result leaves the message. */
export async function outputs(measuring: Measuring, count: number): Promise<Measured> {
  const { stack, meter, complain } = measuring;
  const api = apiOf(stack);
  const threads = 20;
  let offloaded = 0;
  const post = async (n: number): Promise<void> => {
    const { messages } = await api.append(`output-${n % threads}`, ...callWithResult(`output-${n}`, 100_000));
    if (messages[1]?.output) offloaded++;
  };
  await each(threads, inFlight, async (n) => {
    await api.createThread({ id: `output-${n}`, policy: wholePolicy });
    await post(n);
  });
  const spent = await meter.during(() => each(count, inFlight, (n) => post(threads + n)));
  if (offloaded !== threads + count) complain(`${offloaded} of ${threads + count} results were offloaded`);
  await expectMessages(measuring, 'output', 2 * (threads + count));
  return { spent: perOne(spent, count), count };
}

async function expectMessages(
  { stack, complain }: Measuring,
  prefix: string,
  expected: number,
): Promise<void> {
  const [stored] = await rowsOf<{ n: number; gaps: number }>(
    stack.databaseUrl,
    `SELECT coalesce(sum(n), 0)::int AS n, count(*) FILTER (WHERE last <> n)::int AS gaps
       FROM (SELECT count(*) AS n, max(seq) AS last FROM messages m JOIN threads t ON t.uid = m.thread_uid
              WHERE t.id LIKE $1 GROUP BY m.thread_uid) each`,
    [`${prefix}-%`],
  );
  if (stored!.n !== expected)
    complain(`${expected} messages were sent to ${prefix}, ${stored!.n} are stored`);
  if (stored!.gaps > 0) complain(`${stored!.gaps} threads of ${prefix} have gaps`);
}
