import { SpillwayError } from '@spillway/engine';
import { readServerPause, setProjectStopped, setServerPause, type ServerPause } from '@spillway/store';
import { reconcileThreads } from '../compaction/reconcile-threads.js';
import type { Runtime } from '../runtime.js';
import type { ProjectRow } from './projects.js';

export type { ServerPause };

/** Whether the compaction of all projects is paused, and how many are paused themselves. */
export const serverPause = (rt: Runtime): Promise<ServerPause> => readServerPause(rt.store.query);

/**
 * Lets no worker compact threads of a project from now on, or lets them go on. Appends and contexts go on; threads that
 * are due wait. Safe to repeat. Throws `project_not_found`.
 */
export async function pauseCompaction(rt: Runtime, id: string, isPaused: boolean): Promise<ProjectRow> {
  const row = await setProjectStopped(rt.store.query, id, 'compaction', isPaused);
  if (!row) throw new SpillwayError('project_not_found', 'No such project.');
  if (!isPaused) await hintDue(rt);
  return row;
}

/** The same for all projects. Those that are paused themselves stay so. */
export async function pauseServerCompaction(rt: Runtime, isPaused: boolean): Promise<ServerPause> {
  const pause = await setServerPause(rt.store.query, isPaused);
  if (!isPaused) await hintDue(rt);
  return pause;
}

/** What waited is begun now. When that fails, workers find it with their next look, within seconds. */
const hintDue = (rt: Runtime): Promise<unknown> =>
  reconcileThreads(rt).catch((error: unknown) =>
    rt.log.warn({ err: error }, 'due threads were not hinted after a pause; workers look for them'),
  );
