import { startPostgres } from '@spillway/embedded';

export interface Running {
  url: string;
  stop(): Promise<void>;
}

/**
 * A real Postgres for a whole test run; each stack takes a database of its own in it. A durable one waits for the disk
 * at each commit, as in production.
 */
export const startTestPostgres = ({ durable = false } = {}): Promise<Running> =>
  startPostgres({ temporary: true, durable, maxConnections: 200 });
