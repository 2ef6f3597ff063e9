import { SpillwayError } from '@spillway/engine';

/**
 * SQLSTATE classes and codes of temporary failures: connections, resources, shutdown, timeouts, and a standby that takes
 * no writes (25006): during a failover connections reach it before it is promoted. A login that is refused (28) and a
 * database that does not exist (3D000) are those of a password that is being changed and of a restore in progress: an
 * administrator ends them, and callers may repeat their requests until then.
 */
const notNow = /^(08|28|3D000|53|57P0|57014|40001|40P01|25P0[34]|25006|55000)/;
/** The same as Prisma reports them: no connection, pool timeout, transaction timeout. */
const prismaNotNow = /^(P1\d{3}|P2024|P2028|P2037)$/;
const lockTimeout = '55P03';
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  // The resolver does not answer, as when the DNS of a cluster is restarted.
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Maps a failed statement to an outage, a busy thread, or (unchanged) a defect. */
export function asUnavailable(error: unknown): Error {
  if (error instanceof SpillwayError || !(error instanceof Error)) return error as Error;
  const code = codeOf(error);
  if (code === lockTimeout) {
    return new SpillwayError('thread_busy', 'Another request is changing this thread. Retry.', undefined, {
      cause: error,
    });
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
    return new SpillwayError('database_unavailable', 'The database does not answer. Retry.', undefined, {
      cause: error,
    });
  }
  return error;
}

/** True for a statement timeout: Postgres is available, the work was too much. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === '57014' || isStatementTimeout(error.cause));

/** The database or the network did not answer in time. The outcome of the statement is unknown. */
export const isSilence = (error: Error): boolean => error.message === 'Query read timeout';

interface Coded {
  code?: string;
  /** Where Prisma keeps the driver's error. */
  meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
}

function codeOf(error: Error): string {
  const { code, meta } = error as Coded;
  return meta?.driverAdapterError?.cause?.originalCode ?? code ?? '';
}

/** True for a value that the type of its column cannot hold (SQLSTATE class 22). */
export const isRefusedValue = (error: unknown): boolean =>
  error instanceof Error && codeOf(error).startsWith('22');

/** True for a violated unique constraint, as after a race. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505';
