import { SpillwayError } from '@spillway/engine';

/** SQLSTATE classes and codes that say "not now" rather than "wrong": connections, resources, shutdown, time-outs. */
const notNow = /^(08|53|57P0|57014|40001|40P01|25P03|55000)/;
/** Prisma's words for the same: no connection, pool time-out, transaction time-out. */
const prismaNotNow = /^(P1\d{3}|P2024|P2028|P2037)$/;
const lockTimeout = '55P03';
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);

/** What a failed statement means to a caller: an outage, a busy thread, or (unchanged) a defect of ours. */
export function asUnavailable(error: unknown): Error {
  if (error instanceof SpillwayError || !(error instanceof Error)) return error as Error;
  const code = codeOf(error);
  if (code === lockTimeout) {
    return new SpillwayError(
      'thread_busy',
      'Another request is changing this thread; try again.',
      undefined,
      {
        cause: error,
      },
    );
  }
  const lost =
    /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection/i;
  if (
    isSilence(error) ||
    notNow.test(code) ||
    prismaNotNow.test(code) ||
    networkErrors.has(code) ||
    lost.test(error.message)
  ) {
    return new SpillwayError('database_unavailable', 'The database does not answer; try again.', undefined, {
      cause: error,
    });
  }
  return error;
}

/** True for a statement that ran into its own time limit: Postgres is there, the work was too much. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === '57014' || isStatementTimeout(error.cause));

/** The database, or the network before it, did not answer in time. Nobody knows what became of the statement. */
export const isSilence = (error: Error): boolean => error.message === 'Query read timeout';

interface Coded {
  code?: string;
  /** Where Prisma keeps what the driver said. */
  meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
}

function codeOf(error: Error): string {
  const { code, meta } = error as Coded;
  return meta?.driverAdapterError?.cause?.originalCode ?? code ?? '';
}

/** True for the error of a unique constraint, which a statement may meet when it raced another. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505';
