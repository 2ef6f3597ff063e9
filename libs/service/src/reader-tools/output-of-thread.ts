import { SpillwayError } from '@spillway/engine';
import type { OutputRow } from '@spillway/store';
import { isOutputOf, openOutputOfThread } from '../outputs/read-output.js';
import type { Runtime } from '../runtime.js';
import type { ReaderScope } from './reader-call.js';

/**
 * An output of this thread, or one that it shares as a fork. Throws `output_not_found` for another thread's, and
 * `output_gone`.
 */
export async function outputOfThread(rt: Runtime, scope: ReaderScope, id: string): Promise<OutputRow> {
  const found = await openOutputOfThread(rt, scope.projectId, id);
  if (!(await isOutputOf(rt, scope.threadId, found)))
    throw new SpillwayError('output_not_found', 'No such output.');
  return found.output;
}
