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
  OTEL_EXPORTER_OTLP_ENDPOINT: env.traceCollector === null ? null : shownAddress(env.traceCollector),
  LOG_LEVEL: env.logLevel,
});

/** The SDK reports an address that it cannot use, and nothing checks it before. */
const shownAddress = (address: string): string =>
  URL.canParse(address) ? withoutCredentials(address) : 'not a URL';

/** An address without user, password and parameters, which may be secret. */
export function withoutCredentials(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
