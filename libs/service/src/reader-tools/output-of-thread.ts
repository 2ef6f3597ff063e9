import { SpillwayError } from '@spillway/engine';
import type { OutputRow } from '@spillway/store';
import { openOutputOfThread } from '../outputs/read-output.js';
import type { Runtime } from '../runtime.js';
import type { ReaderScope } from './reader-call.js';

/** An output of this thread. Throws `output_not_found` for another thread's, and `output_gone`. */
export async function outputOfThread(rt: Runtime, scope: ReaderScope, id: string): Promise<OutputRow> {
  const found = await openOutputOfThread(rt, scope.projectId, id);
  if (found.threadId !== scope.threadId) throw new SpillwayError('output_not_found', 'No such output.');
  return found.output;
}
