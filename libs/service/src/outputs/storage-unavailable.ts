import { SpillwayError } from '@spillway/engine';
import type { Runtime } from '../runtime.js';

/**
 * For the failure of a write to the output store: logs it with `message` and throws `storage_unavailable`, which clients
 * retry. An error that is ours already comes from the source of the bytes and passes unchanged.
 */
export const asStorageUnavailable =
  (rt: Runtime, projectId: string, message: string) =>
  (error: unknown): never => {
    if (error instanceof SpillwayError) throw error;
    rt.log.error({ err: error, projectId }, message);
    const why = 'The output store is not writable. Retry.';
    throw new SpillwayError('storage_unavailable', why, undefined, { cause: error });
  };

/**
 * For the failure of a read from the output store: an error of the file system, of the network or of S3 becomes
 * `storage_unavailable`, any other one is a defect and passes unchanged.
 */
export const asUnreadable = (error: unknown): unknown =>
  isOfStorage(error)
    ? new SpillwayError('storage_unavailable', 'The output store does not answer. Retry.', undefined, {
        cause: error,
      })
    : error;

/** Codes of Node itself, as of a stream that ended early, begin with `ERR_`. Errors of the SDK of S3 have metadata. */
function isOfStorage(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof SpillwayError) return false;
  const { code } = error as { code?: unknown };
  const isOfSystem = typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
  return isOfSystem || '$metadata' in error || error.name === 'TimeoutError';
}
