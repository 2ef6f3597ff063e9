import { apiOf, rowsOf, until, type Stack } from '@spillway/testing';
import { connections, median, round, type BenchResult, type Row } from './bench.js';
import { plainReads } from './load/plain-statements.js';
import { load, type Load, type Loaded } from './load/load.js';

const sizes = [100, 1_000, 10_000, 100_000];
const rounds = 3;
const seconds = 2;
const text = 'The quick brown fox jumps over the lazy dog; pack my box with jugs. '.repeat(4);
const policy = { context: { context_window: 16_000 } };

/**
 * Requests whose budgets differ, though all have space for the whole context: the process keeps the context that it
 * served last, so each of these is built anew, and recorded.
 */
const builtAnew = (size: number): Load['requests'] =>
  Array.from({ length: 50 }, (_, i) => ({
    method: 'GET',
    path: `/v1/threads/context-${size}/context?max_tokens=${10_000 + i}`,
  }));

/** GET context of compacted threads of very different lengths: the cost must not depend on the length. */
export async function contextRead(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const api = apiOf(stack);
  for (const size of sizes) await writeThread(stack, size);
  const [longest] = await rowsOf<{ projectId: string; threadUid: string; after: number }>(
    stack.databaseUrl,
    `SELECT project_id AS "projectId", uid AS "threadUid", covered_through AS after FROM threads WHERE id = $1`,
    [`context-${sizes.at(-1)}`],
  );
  const p50 = new Map<number, number[]>(sizes.map((size) => [size, []]));
  const perSecond: number[] = [];
  const unchanged: number[] = [];
  const bare: number[] = [];
  const read = async (inFlight: number, requests: Load['requests']): Promise<Loaded> => {
    const loaded = await load({ ...stack, inFlight, seconds, requests });
    if (loaded.failures > 0) complaints.push(`${loaded.failures} reads failed`);
    return loaded;
  };
  for (let i = 0; i < rounds; i++) {
    for (const size of sizes) {
      p50.get(size)!.push(median((await read(1, builtAnew(size))).latencies));
    }
    const size = sizes.at(-1)!;
    perSecond.push((await read(16, builtAnew(size))).perSecond);
    const path = `/v1/threads/context-${size}/context`;
    unchanged.push((await read(16, [{ method: 'GET', path }])).perSecond);
    const plain = { url: stack.databaseUrl, connections, inFlight: 16, seconds };
    bare.push((await plainReads(plain, longest!)).perSecond);
  }
  for (const size of sizes) {
    const context = await api.context(`context-${size}`);
    const wrong =
      context.last_seq !== size || context.tokens.total > context.budget.limit || context.degraded;
    if (wrong) complaints.push(`the context of ${size} messages is wrong`);
  }
  const shortest = median(p50.get(100)!);
  const rows: Row[] = sizes.map((size) => {
    const own = median(p50.get(size)!);
    return {
      what: `GET context of ${size.toLocaleString('en-US')} messages, p50`,
      value: `${round(own, 2)} ms`,
      against: `${round(shortest, 2)} ms at 100`,
      target: `<= 1.2 x (${round(own / shortest, 2)} x)`,
      reached: own <= 1.2 * shortest,
      guarded: { ratio: { value: own / shortest, better: 'less', within: 0.2 } },
      ...(size === sizes.at(-1) && {
        headline: {
          what: `Context of a thread of ${size.toLocaleString('en-US')} messages, median`,
          against: `${round(shortest, 2)} ms of one of 100 messages`,
        },
      }),
    };
  });
  rows.push(
    againstSelects('GET context, 16 in flight', perSecond, bare),
    againstSelects('GET unchanged context, 16 in flight', unchanged, bare),
  );
  const about =
    'The context of threads of 100 to 100,000 messages, all compacted to the same few messages: one read at a time, then 16 in flight. Each asks for another budget than the read before it, so it is built anew, from the messages that the process knows by then; the last row asks for the same again.';
  return { name: 'context-read', about, rows, complaints };
}

/** A row of reads per second against plain SELECTs, both in turns. */
function againstSelects(what: string, perSecond: readonly number[], bare: readonly number[]): Row {
  const ratio = median(perSecond) / median(bare);
  return {
    what,
    value: `${round(median(perSecond), 0)}/s`,
    against: `${round(median(bare), 0)}/s, a plain SELECT of the same messages`,
    target: `>= 0.5 x (${round(ratio, 2)} x)`,
    reached: ratio >= 0.5,
    guarded: { ratio: { value: ratio, better: 'more', within: 0.2 } },
  };
}

async function writeThread(stack: Stack, size: number): Promise<void> {
  const api = apiOf(stack);
  const id = `context-${size}`;
  await api.createThread({ id, policy });
  for (let from = 0; from < size; from += 500) {
    const batch = Array.from({ length: Math.min(500, size - from) }, (_, i) => ({
      role: (from + i) % 2 ? 'assistant' : 'user',
      content: `${from + i} ${text}`,
    }));
    await api.append(id, ...batch);
  }
  // A thread of 100 messages may still be below its trigger: all of them are compacted to the same few messages.
  const low = { context: { trigger_tokens: 2_000, min_reclaim_ratio: 0 } };
  await until(`${id} is idle`, async () => (await api.thread(id)).compaction.state === 'idle', 120_000);
  await api.call('POST', `/v1/threads/${id}/compactions`, { policy: low, wait_ms: 60_000 });
  await until(`${id} is compacted`, async () => (await api.thread(id)).compaction.generation > 0);
}
