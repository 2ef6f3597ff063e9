import { SpillwayError } from '@spillway/engine';
import { erase, eraseRange, fullRanges, lockSharedOutputs, lockThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/**
 * Erases the content of a thread. Its outputs become unreadable at once, and the next sweep removes their bytes; one
 * that a fork shares stays, and belongs to the fork from then on.
 */
export async function eraseThread(rt: Runtime, projectId: string, id: string): Promise<void> {
  const erased = await rt.store.transaction(async (query) => {
    // Waits for concurrent writers and forks, so that the erasure knows what they wrote.
    const thread = await lockThread(query, projectId, id);
    if (thread) {
      const { uid: threadUid, nextSeq } = thread;
      await lockSharedOutputs(query, { projectId, threadUid, seq: null });
      for (const range of fullRanges({ after: 0, through: nextSeq - 1 }))
        await eraseRange(query, { projectId, threadUid, ...range });
    }
    return erase(query, projectId, id);
  });
  rt.settings.forget(projectId, id);
  void rt.hints.forget({ projectId, threadId: id });
  rt.trustedCallers.forget((caller) => caller.projectId === projectId && caller.token?.threadId === id);
  if (!erased) throw new SpillwayError('thread_not_found', 'No such thread.');
}
