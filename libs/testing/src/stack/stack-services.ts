import { freshDatabase } from './database.js';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.js';
import { startProxy, type Proxy } from '../http/proxy.js';
import { startTestRedis, type TestRedis } from './test-redis.js';

export interface ServiceOptions {
  redis?: boolean;
  /** Connects to Postgres and Redis through proxies, whose network can fail. */
  proxied?: boolean;
  /** A separate Postgres that can be stopped and killed; default: a database in the test run's. */
  ownPostgres?: boolean;
  /** For the separate Postgres: every commit is flushed to disk. */
  durable?: boolean;
  /** An existing database; default: a fresh, migrated one. */
  databaseUrl?: string;
}

/** What a stack's processes talk to. */
export interface StackServices {
  /** Direct connection to the database, for checks. */
  databaseUrl: string;
  postgres: OwnPostgres | null;
  redis: TestRedis | null;
  proxies: { postgres: Proxy; redis: Proxy | null } | null;
  /** How the processes reach them. */
  env: { DATABASE_URL: string; REDIS_URL: string };
}

/** Starts them; each adds its end to `undo`. */
export async function startServices(
  {
    redis: wantsRedis = true,
    proxied = false,
    ownPostgres = false,
    durable = false,
    databaseUrl: given,
  }: ServiceOptions,
  undo: (() => Promise<void>)[],
): Promise<StackServices> {
  const postgres = ownPostgres ? await startOwnPostgres({ durable }) : null;
  if (postgres) undo.push(() => postgres.stop());
  const databaseUrl = given ?? (await freshDatabase(postgres?.url));
  const redis = wantsRedis ? await startTestRedis() : null;
  if (redis) undo.push(() => redis.stop());
  const direct = { DATABASE_URL: databaseUrl, REDIS_URL: redis?.url ?? '' };
  if (!proxied) return { databaseUrl, postgres, redis, proxies: null, env: direct };

  const inFrontOf = async (url: string) => {
    const { hostname, port } = new URL(url);
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    undo.push(() => proxy.stop());
    return proxy;
  };
  const proxies = {
    postgres: await inFrontOf(databaseUrl),
    redis: redis && (await inFrontOf(redis.url)),
  };
  const env = {
    DATABASE_URL: proxies.postgres.through(databaseUrl),
    REDIS_URL: redis && proxies.redis ? proxies.redis.through(redis.url) : '',
  };
  return { databaseUrl, postgres, redis, proxies, env };
}
