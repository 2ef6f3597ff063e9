import type { Runtime } from './runtime.js';

export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable';
  postgres: 'ok' | 'down';
  redis: 'ok' | 'down';
}

const ping = { name: 'ping', text: 'SELECT 1 AS one' };

/** Postgres is required; Redis is reported, for without it compaction goes on by polling. */
export async function checkReadiness(rt: Runtime): Promise<Readiness> {
  const postgres = await rt.store.query(ping, []).then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  const redis = (await rt.hints.ping()) ? 'ok' : 'down';
  const status = postgres === 'down' ? 'unavailable' : redis === 'down' ? 'degraded' : 'ready';
  return { status, postgres, redis };
}
