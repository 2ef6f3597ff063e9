import { SpillwayError } from '@spillway/engine';
import { erase, lockThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** Erases the content of a thread. Its outputs become unreadable at once; the next sweep removes their bytes. */
export async function eraseThread(rt: Runtime, projectId: string, id: string): Promise<void> {
  const erased = await rt.store.transaction(async (query) => {
    // Waits for concurrent writers, so that the erasure includes what they wrote.
    await lockThread(query, projectId, id);
    return erase(query, projectId, id);
  });
  rt.settings.forget(projectId, id);
  void rt.hints.forget({ projectId, threadId: id });
  if (!erased) throw new SpillwayError('thread_not_found', 'No such thread.');
}
