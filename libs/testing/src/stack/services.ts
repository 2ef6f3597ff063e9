import { startPostgres } from '@spillway/embedded';

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/** A real Postgres for a whole test run; each stack takes a database of its own in it. */
export const startTestPostgres = (): Promise<Running> =>
  startPostgres({ temporary: true, durable: false, maxConnections: 200 });
