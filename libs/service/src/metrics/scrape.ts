import { noHints } from '@spillway/jobs';
import { asService, readBacklog, type Backlog } from '@spillway/store';
import { atMost, late } from '../operations/at-most.js';
import { lastAdminKeys } from '../operations/last-admin-key.js';
import type { Runtime } from '../runtime.js';
import type { Metrics, MetricsReport } from './metrics.js';

/** A scrape waits at most this long for Postgres and for Redis, and then answers with what the process knows. */
const maxWaitMs = 1_000;
/** What was read is reused for this long, however many scrape. */
const reusedMs = 2_000;

const latest = new WeakMap<Runtime, { at: number; read: Promise<void> }>();

/** The metrics of this process and of the backlog that it shares with others, in the text format of Prometheus. */
export async function scrapeMetrics(rt: Runtime): Promise<string> {
  await readGauges(rt);
  return rt.metrics.text();
}

/** The same as values, to be added to those of the other processes of an API. */
export async function reportMetrics(rt: Runtime): Promise<MetricsReport> {
  await readGauges(rt);
  return rt.metrics.report();
}

async function readGauges(rt: Runtime): Promise<void> {
  const known = latest.get(rt);
  if (!known || performance.now() - known.at > reusedMs)
    latest.set(rt, { at: performance.now(), read: readShared(rt) });
  await latest.get(rt)!.read;
  const { used, idle, waiting, max } = rt.store.connections();
  rt.metrics.set('spillway_postgres_pool_connections', { state: 'used' }, used);
  rt.metrics.set('spillway_postgres_pool_connections', { state: 'idle' }, idle);
  rt.metrics.set('spillway_postgres_pool_waiting', {}, waiting);
  rt.metrics.set('spillway_postgres_pool_max_connections', {}, max);
}

async function readShared(rt: Runtime): Promise<void> {
  const hasRedis = rt.hints !== noHints;
  const [backlog, lastKeys, redis, jobs] = await Promise.all([
    inTime(asService(() => readBacklog(rt.store.query))),
    inTime(lastAdminKeys(rt)),
    inTime(rt.hints.state()),
    inTime(rt.hints.jobs()),
  ]);
  showBacklog(rt.metrics, backlog);
  rt.metrics.forget('spillway_last_admin_keys');
  for (const [state, count] of Object.entries(lastKeys ?? {}))
    rt.metrics.set('spillway_last_admin_keys', { state }, count);
  rt.metrics.forget('spillway_queue_jobs');
  if (hasRedis) rt.metrics.set('spillway_redis_up', {}, redis === 'ok' ? 1 : 0);
  else rt.metrics.forget('spillway_redis_up');
  if (jobs === null) return;
  for (const [queue, states] of Object.entries(jobs))
    for (const [state, count] of Object.entries(states))
      rt.metrics.set('spillway_queue_jobs', { queue, state }, count);
}

function showBacklog(metrics: Metrics, backlog: Backlog | null): void {
  metrics.set('spillway_postgres_up', {}, backlog === null ? 0 : 1);
  metrics.forget('spillway_threads');
  metrics.forget('spillway_parked_threads');
  metrics.forget('spillway_oldest_due_seconds');
  metrics.forget('spillway_oldest_backoff_seconds');
  metrics.forget('spillway_compaction_paused');
  if (backlog === null) return;
  const { due, running, backoff, parked, parkedByReason, oldestDueMs, oldestBackoffMs } = backlog;
  for (const [state, count] of Object.entries({ due, running, backoff, parked }))
    metrics.set('spillway_threads', { state }, count);
  for (const [reason, count] of Object.entries(parkedByReason))
    metrics.set('spillway_parked_threads', { reason }, count);
  metrics.set('spillway_oldest_due_seconds', {}, secondsOf(oldestDueMs));
  metrics.set('spillway_oldest_backoff_seconds', {}, secondsOf(oldestBackoffMs));
  metrics.set('spillway_compaction_paused', { scope: 'server' }, backlog.isPaused ? 1 : 0);
  metrics.set('spillway_compaction_paused', { scope: 'projects' }, backlog.pausedProjects);
}

/** A thread may become due after the statement that reads it began: its time is then later than now(). */
const secondsOf = (ms: number | null): number => Math.max(0, ms ?? 0) / 1_000;

/** Null when it failed or is late. That is reported as a metric; readiness and the log have the reason. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const read = await atMost(maxWaitMs, work).catch(() => null);
  return read === late ? null : read;
}
