import { SpillwayError } from '@spillway/engine';
import { readThread, type ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** One thread. Throws `thread_not_found` for unknown and erased ones. */
export async function getThread(rt: Runtime, projectId: string, id: string): Promise<ThreadRow> {
  const row = await readThread(rt.store.query, projectId, id);
  if (!row || row.deletedAt) throw new SpillwayError('thread_not_found', 'No such thread.');
  return row;
}
