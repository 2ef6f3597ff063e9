import { SpillwayError } from '@spillway/engine';
import { erase, lockSharedOutputs, lockThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/**
 * Erases the content of a thread. Its outputs become unreadable at once, and the next sweep removes their bytes; one
 * that a fork shares stays, and belongs to the fork from then on.
 */
export async function eraseThread(rt: Runtime, projectId: string, id: string): Promise<void> {
  const erased = await rt.store.transaction(async (query) => {
    // Waits for concurrent writers and forks, so that the erasure knows what they wrote.
    const thread = await lockThread(query, projectId, id);
    if (thread) await lockSharedOutputs(query, { projectId, threadUid: thread.uid, seq: null });
    return erase(query, projectId, id);
  });
  rt.settings.forget(projectId, id);
  void rt.hints.forget({ projectId, threadId: id });
  rt.trustedCallers.forget((caller) => caller.projectId === projectId && caller.token?.threadId === id);
  if (!erased) throw new SpillwayError('thread_not_found', 'No such thread.');
}
