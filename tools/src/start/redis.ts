import { Redis } from 'ioredis';
import { errorCode, StartError, startRedis, type Teardown } from '@spillway/embedded';
import type { Start } from './start-options.js';

/** The Redis to use: the given one, an embedded one started now, or null where none is to be had. */
export async function openRedis(start: Start, password: string, teardown: Teardown): Promise<string | null> {
  if (start.redisUrl !== null) return start.redisUrl;
  start.say('Starting Redis');
  const redis = await startRedis({ password, revive: true, say: start.say, signal: start.signal });
  if (redis.url === null) {
    start.say(
      `${redis.reason} Going on without it: workers poll Postgres, so compactions begin seconds later.`,
    );
    return null;
  }
  teardown.add('Redis', () => redis.stop());
  return redis.url;
}

/** Throws a StartError with what is wrong unless the Redis lets us in. */
export async function checkRedis(url: string): Promise<void> {
  const options = {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 5000,
  };
  const redis = new Redis(url, options);
  let failure: unknown;
  redis.on('error', (error) => (failure = error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw new StartError(
      `${complaint(failure ?? error, new URL(url))}: correct REDIS_URL, or unset it to use the embedded Redis.`,
    );
  } finally {
    redis.disconnect();
  }
}

function complaint(error: unknown, url: URL): string {
  const detail = error instanceof Error ? error.message : String(error);
  if (errorCode(error) === 'ECONNREFUSED') return `No Redis answers at ${url.host}`;
  if (errorCode(error) === 'ENOTFOUND') return `The host ${url.hostname} of REDIS_URL is unknown`;
  if (/WRONGPASS|NOAUTH|AUTH/.test(detail)) return `Redis at ${url.host} refused the user or password`;
  return `Redis at ${url.host} cannot be used (${detail})`;
}
