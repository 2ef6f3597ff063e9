import { setTimeout as sleep } from 'node:timers/promises';
import type { PolicyInput } from '@spillway/engine';
import {
  readCompactionPause,
  requestCompaction as markDue,
  retryMany,
  type CompactionRequest,
  type ThreadRow,
} from '@spillway/store';
import { getThread } from '../threads/get-thread.js';
import { hintCompaction } from './hint-compaction.js';
import { planRequested } from './plan-fold.js';
import type { Runtime } from '../runtime.js';

export interface CompactionAnswer {
  result: 'queued' | 'paused' | 'running' | 'compacted' | 'below_trigger' | 'nothing_to_compact';
  thread: ThreadRow;
}

/**
 * Requests a compaction now. Below the trigger it does nothing (AgentScope's compress_context); `policy` overrides keys
 * for this call, so a lower trigger_ratio compacts a thread that is not due. Waits up to `waitMs` for the outcome, but not
 * while the operator pauses compaction: the request is recorded and carried out after the pause.
 */
export async function requestCompaction(
  rt: Runtime,
  projectId: string,
  threadId: string,
  { policy = {}, waitMs = 0 }: { policy?: PolicyInput; waitMs?: number },
): Promise<CompactionAnswer> {
  const thread = await getThread(rt, projectId, threadId);
  const { result } = await planRequested(rt, thread, policy);
  return result === 'would_compact'
    ? queue(rt, thread, { kind: 'manual', policy }, waitMs)
    : { result, thread };
}

/** Makes the summary again from the original messages, in a new chain. The active one is served until then. */
export async function rebuildSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
): Promise<CompactionAnswer> {
  const thread = await getThread(rt, projectId, threadId);
  if (thread.generation === 0) return { result: 'nothing_to_compact', thread };
  return queue(rt, thread, { kind: 'rebuild' }, 0);
}

/** Unparks a thread, ends its back-off and makes it due. */
export async function retryThread(rt: Runtime, projectId: string, threadId: string): Promise<ThreadRow> {
  const thread = await getThread(rt, projectId, threadId);
  if (thread.state === 'idle' || thread.state === 'running') return thread;
  const due = (await markDue(rt.store.query, projectId, threadId, null)) ?? thread;
  hintCompaction(rt, due);
  return due;
}

/** Maximum of threads per call; the caller repeats the call for more. */
const maxThreads = 1_000;

/**
 * Retries every thread in a state; of parked threads those parked for `reason`, when given. Returns how many, and
 * whether there are more.
 */
export async function retryThreads(
  rt: Runtime,
  projectId: string,
  { state, reason }: { state: 'parked' | 'backoff'; reason?: string },
): Promise<{ retried: number; more: boolean }> {
  const of = { projectId, state, reason: reason ?? null, limit: maxThreads };
  const rows = await retryMany(rt.store.query, of);
  for (const row of rows) hintCompaction(rt, row);
  return { retried: rows.length, more: rows.length === maxThreads };
}

async function queue(
  rt: Runtime,
  thread: ThreadRow,
  request: CompactionRequest,
  waitMs: number,
): Promise<CompactionAnswer> {
  const { projectId, id } = thread;
  const [marked, pause] = await Promise.all([
    markDue(rt.store.query, projectId, id, { ...request, seq: thread.headSeq }),
    readCompactionPause(rt.store.query, projectId),
  ]);
  const due = marked ?? thread;
  if (pause) return { result: 'paused', thread: due };
  hintCompaction(rt, due);
  const until = performance.now() + waitMs;
  let now = due;
  while (performance.now() < until) {
    await sleep(50);
    now = await getThread(rt, projectId, id);
    if (now.generation !== thread.generation) return { result: 'compacted', thread: now };
    if (now.state === 'idle') return { result: 'nothing_to_compact', thread: now };
    if (now.state === 'parked' || now.state === 'backoff') break;
  }
  return { result: now.state === 'running' ? 'running' : 'queued', thread: now };
}
