import type { Env } from '../env.js';
import { outputsUrl } from '../environment/outputs-location.js';

/** The configuration of a process, by variable name. Possible secrets are left out or shortened. */
export type ShownSettings = Record<string, string | number | null>;

export const shownSettings = (env: Env): ShownSettings => ({
  DATABASE_URL: withoutCredentials(env.databaseUrl),
  REDIS_URL: env.redisUrl === null ? null : withoutCredentials(env.redisUrl),
  SPILLWAY_HOST: env.host,
  API_PORT: env.apiPort,
  SPILLWAY_OUTPUTS: outputsUrl(env.outputs),
  SPILLWAY_LEASE_MS: env.leaseMs,
  SPILLWAY_POLL_MS: env.pollMs,
  SPILLWAY_GRACE_MS: env.graceMs,
  SPILLWAY_ORPHAN_MS: env.orphanMs,
  SPILLWAY_POOL: env.maxConnections,
  SPILLWAY_HEADERS_TIMEOUT_MS: env.headersMs,
  SPILLWAY_REQUEST_TIMEOUT_MS: env.requestMs,
  LOG_LEVEL: env.logLevel,
});

/** An address without user, password and parameters, which may be secret. */
export function withoutCredentials(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
