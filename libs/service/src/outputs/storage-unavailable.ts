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
