import { SpillwayError } from '@spillway/engine';

/** SQLSTATE classes and codes that say "not now" rather than "wrong": connections, resources, shutdown, time-outs. */
const notNow = /^(08|53|57P0|57014|40001|40P01|25P03)/;
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
  const code = (error as { code?: string }).code ?? '';
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
  if (notNow.test(code) || networkErrors.has(code) || lost.test(error.message)) {
    return new SpillwayError('database_unavailable', 'The database does not answer; try again.', undefined, {
      cause: error,
    });
  }
  return error;
}

/** True for the error of a unique constraint, which a statement may meet when it raced another. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505';
