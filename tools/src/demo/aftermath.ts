import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '@spillway/client';
import type { SpillwayClient } from '@spillway/client/typed';
import { answered } from './api.js';
import type { Checks } from './checks.js';
import { firstDifference } from './context-checks.js';
import type { Replayed } from './replay.js';

const settleWithinMs = 120_000;

export interface Aftermath {
  thread: Schemas['Thread'];
  summaries: Schemas['Summary'][];
  outputs: Schemas['Output'][];
}

/** Waits until a thread's compaction is idle, then reads and checks the result. */
export async function aftermath(
  client: SpillwayClient,
  replayed: Replayed,
  checks: Checks,
  signal: AbortSignal,
): Promise<Aftermath> {
  const id = replayed.threadId;
  const thread = await untilSettled(client, id, signal);
  const { state, reason } = thread.compaction;
  const done = state === 'idle' || reason === 'irreducible';
  checks.expect('compaction settles', done, () => `${id}: ${state} ${reason ?? ''}`);

  const summaries = await allSummaries(client, id);
  checkGenerations(checks, id, summaries);

  const original = await allMessages(client, id);
  const difference = firstDifference(original, replayed.file.messages);
  checks.expect('afterwards, every original message comes back as it was posted', difference === null, () => {
    return `${id}: differs at message ${difference}`;
  });
  const outputs = answered(
    await client.GET('/v1/threads/{id}/outputs', { params: { path: { id }, query: { limit: 100 } } }),
    `list the outputs of ${id}`,
  ).data;
  return { thread, summaries, outputs };
}

async function untilSettled(
  client: SpillwayClient,
  id: string,
  signal: AbortSignal,
): Promise<Schemas['Thread']> {
  const until = Date.now() + settleWithinMs;
  for (;;) {
    const thread = answered(await client.GET('/v1/threads/{id}', { params: { path: { id } } }), `show ${id}`);
    const { state } = thread.compaction;
    if (state === 'idle' || state === 'parked' || Date.now() > until) return thread;
    await sleep(100, undefined, { signal });
  }
}

async function allSummaries(client: SpillwayClient, id: string): Promise<Schemas['Summary'][]> {
  const summaries: Schemas['Summary'][] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const page = answered(
      await client.GET('/v1/threads/{id}/summaries', { params: { path: { id }, query } }),
      `list the summaries of ${id}`,
    );
    summaries.push(...page.data);
    if (page.next_cursor === null) return summaries;
    cursor = page.next_cursor;
  }
}

/** Oldest first, each generation begins at seq 1 or right after the one before. */
function checkGenerations(checks: Checks, id: string, summaries: Schemas['Summary'][]): void {
  let next = 1;
  for (const { generation, from_seq, to_seq } of summaries.toSorted((a, b) => a.generation - b.generation)) {
    checks.expect(
      'summary generations are contiguous from seq 1',
      from_seq === next && to_seq >= from_seq,
      () => {
        return `${id}: generation ${generation} covers ${from_seq} to ${to_seq}, expected from ${next}`;
      },
    );
    next = to_seq + 1;
  }
}

async function allMessages(client: SpillwayClient, id: string): Promise<unknown[]> {
  const messages: unknown[] = [];
  for (let after = 0; ;) {
    const query = { view: 'original' as const, limit: 200, after };
    const page = answered(
      await client.GET('/v1/threads/{id}/messages', { params: { path: { id }, query } }),
      `list the messages of ${id}`,
    ).data;
    const last = page.at(-1);
    if (!last) return messages;
    messages.push(...page.map((each) => each.message));
    after = last.seq;
  }
}
