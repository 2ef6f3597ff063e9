import { projectsToSweep, type ProjectToSweep } from '@spillway/store';
import { keepDeliveriesMs, keepSessionsMs, keepSweepsMs, keepTokensMs, keepWritersMs } from './forget-old.js';
import type { Runtime } from '../runtime.js';

/** Returns the ids of the projects in which the sweep of outputs finds something, and the number of the others. */
export async function findProjectsToSweep(rt: Runtime): Promise<{ ids: string[]; idle: number }> {
  const { max_bytes: maxBytes } = rt.settings.serverDefaults().outputs;
  const limits = {
    ...{ maxBytes, keepDeliveriesMs, keepTokensMs },
    ...{ keepWritersMs, keepSweepsMs, keepSessionsMs },
  };
  const { projects, found } = await projectsToSweep(rt.store.query, limits);
  const busy = found.filter((project) => project.isDue || isOverBudget(rt, project));
  return { ids: busy.map(({ id }) => id), idle: projects - busy.length };
}

function isOverBudget(rt: Runtime, { bytes, policy }: ProjectToSweep): boolean {
  try {
    return bytes !== null && bytes > rt.settings.projectDefaults({ policy }).outputs.max_bytes;
  } catch {
    // Its own sweep fails and is reported. The sweeps of other projects go on.
    return true;
  }
}
