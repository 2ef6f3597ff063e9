import { SpillwayError } from '@spillway/engine';
import { erase, lockThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** Erases all that a thread said. Its outputs stop being readable at once; the next sweep removes their bytes. */
export async function eraseThread(rt: Runtime, projectId: string, id: string): Promise<void> {
  const erased = await rt.store.transaction(async (query) => {
    // Whoever writes to the thread at this moment is waited for, so that the erasure sees what they wrote.
    await lockThread(query, projectId, id);
    return erase(query, projectId, id);
  });
  rt.settings.forget(projectId, id);
  if (!erased) throw new SpillwayError('thread_not_found', 'No such thread.');
}
