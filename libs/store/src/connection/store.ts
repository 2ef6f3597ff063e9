import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/client.js';
import { lockMs } from './lock-timeout.js';
import { ScopedPool, type PoolUse } from './scoped-pool.js';
import { asUnavailable, isSilence } from './unavailable.js';

/** One pool for both: hot statements use `pg`, everything else Prisma. */
export interface Store {
  query: Query;
  transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  prisma: PrismaClient;
  connections: () => PoolUse;
  close: () => Promise<void>;
}

export interface Statement {
  /** Prepared under this name, once per connection. */
  name: string;
  text: string;
}

export type Query = <Row extends pg.QueryResultRow>(
  statement: Statement,
  values: unknown[],
) => Promise<Row[]>;

export interface StoreOptions {
  url: string;
  maxConnections: number;
  /** Called when an idle connection dies. */
  onError: (error: Error) => void;
}

/** Longer than any of our statements takes on a healthy database. */
const statementMs = 8_000;

export function openStore({ url, maxConnections, onError }: StoreOptions): Store {
  const pool = new ScopedPool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // For a reply that was lost in the network: the connection is closed, and its statement fails.
    query_timeout: statementMs + 2_000,
    keepAlive: true,
    settings: {
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: 15_000,
    },
  });
  pool.on('error', onError);
  // A connection that is lost while checked out also emits `error`; without a listener that would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  return {
    query: (statement, values) => rowsOf(pool.run({ ...statement, values })),
    transaction: (work) => inTransaction(pool, work),
    prisma,
    connections: () => pool.use(),
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

async function rowsOf<Row extends pg.QueryResultRow>(running: Promise<Row[]>): Promise<Row[]> {
  try {
    return await running;
  } catch (error) {
    throw asUnavailable(error);
  }
}

const rowsIn = async <Row extends pg.QueryResultRow>(running: Promise<pg.QueryResult<Row>>): Promise<Row[]> =>
  (await running).rows;

async function inTransaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work((statement, values) => rowsOf(rowsIn(client.query({ ...statement, values }))));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (error instanceof Error && isSilence(error)) broken = error;
    else await client.query('ROLLBACK').catch((failed: Error) => (broken = failed));
    throw asUnavailable(error);
  } finally {
    client.release(broken);
  }
}
