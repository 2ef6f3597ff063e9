import { SpillwayError } from '@spillway/engine';
import { erase } from '@spillway/store';
import type { Runtime } from './runtime.js';

/** Erases all that a thread said. Its outputs stop being readable at once; the next sweep removes their bytes. */
export async function eraseThread(rt: Runtime, projectId: string, id: string): Promise<void> {
  const erased = await erase(rt.store.query, projectId, id);
  rt.settings.forget(projectId, id);
  if (!erased) throw new SpillwayError('thread_not_found', 'No such thread.');
}
