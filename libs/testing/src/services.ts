import { startPostgres, startRedis } from '@spillway/embedded';

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** A real Postgres for a whole test run; each stack takes a database of its own in it. */
export const startTestPostgres = (): Promise<Running> =>
  startPostgres({ temporary: true, durable: false, maxConnections: 200 });

/** A real Redis, empty. Tests of queues need one, so a machine without it is an error here. */
export async function startTestRedis(port?: number): Promise<Running> {
  const redis = await startRedis(port === undefined ? {} : { port });
  if (redis.url === null) throw new Error(`Redis can't be started: ${redis.reason}`);
  return redis;
}
