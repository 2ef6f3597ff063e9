import type { Runtime } from '../runtime.js';

export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable';
  postgres: 'ok' | 'down';
  redis: 'ok' | 'down';
}

/** A standby answers, and takes no message until it is promoted. */
const takesWrites = { name: 'takes-writes', text: 'SELECT NOT pg_is_in_recovery() AS "takesWrites"' };

/** An answer is reused for this long: the endpoint is public, and must not cause a query per request. */
const reusedMs = 1_000;
const latest = new WeakMap<Runtime, { at: number; readiness: Promise<Readiness> }>();

/** Postgres is required. Redis is reported only: without it compaction continues by polling. */
export function checkReadiness(rt: Runtime): Promise<Readiness> {
  const known = latest.get(rt);
  if (known && performance.now() - known.at < reusedMs) return known.readiness;
  const readiness = look(rt);
  latest.set(rt, { at: performance.now(), readiness });
  return readiness;
}

async function look(rt: Runtime): Promise<Readiness> {
  const postgres = await rt.store.query<{ takesWrites: boolean }>(takesWrites, []).then(
    ([row]) => (row!.takesWrites ? ('ok' as const) : ('down' as const)),
    () => 'down' as const,
  );
  const redis = (await rt.hints.ping()) ? 'ok' : 'down';
  const status = postgres === 'down' ? 'unavailable' : redis === 'down' ? 'degraded' : 'ready';
  return { status, postgres, redis };
}
