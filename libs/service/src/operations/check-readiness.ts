import type { RedisState } from '@spillway/jobs';
import { readSchemaState } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { outageLog, type OutageLog } from './outage-log.js';
import { storageState, type StorageState } from './storage-watch.js';

export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable';
  /** `outdated`: its tables are older than this version. */
  postgres: 'ok' | 'down' | 'outdated';
  redis: RedisState;
  outputs: StorageState;
}

/** An answer is reused for this long: the endpoint is public, and must not cause a query per request. */
const reusedMs = 1_000;
const latest = new WeakMap<Runtime, { at: number; readiness: Promise<Readiness> }>();

/**
 * Postgres is required. Redis is reported only: while it takes no writes, compaction continues by polling. A service that
 * is set up without it lacks nothing. The storage of outputs is reported only: what needs none of it goes on.
 */
export function checkReadiness(rt: Runtime): Promise<Readiness> {
  const known = latest.get(rt);
  if (known && performance.now() - known.at < reusedMs) return known.readiness;
  const readiness = look(rt);
  latest.set(rt, { at: performance.now(), readiness });
  return readiness;
}

async function look(rt: Runtime): Promise<Readiness> {
  const postgres = await lookAtPostgres(rt);
  const redis = await rt.hints.state();
  const lacksRedis = redis === 'down' || redis === 'read_only';
  const outputs = storageState(rt);
  const isDegraded = lacksRedis || outputs === 'down';
  const status = postgres !== 'ok' ? 'unavailable' : isDegraded ? 'degraded' : 'ready';
  return { status, postgres, redis, outputs };
}

async function lookAtPostgres(rt: Runtime): Promise<Readiness['postgres']> {
  const state = await readSchemaState(rt.store.query).catch(() => null);
  if (!state?.takesWrites) return 'down';
  const log = logOf(rt);
  if (state.isMigrated) log.worked();
  else log.failed(new Error('The database is older than this version: run the program that migrates.'));
  return state.isMigrated ? 'ok' : 'outdated';
}

const logs = new WeakMap<Runtime, OutageLog>();

function logOf(rt: Runtime): OutageLog {
  const log = logs.get(rt) ?? outageLog(rt.log, 'the check of the tables', { meanwhile: '; /readyz is 503' });
  logs.set(rt, log);
  return log;
}
