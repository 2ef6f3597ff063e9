import { SpillwayError } from '@spillway/engine';

/** Maximum of concurrent searches of one project: each takes a thread or a database connection. */
const maxOfProject = 2;
/** The same for this process: more threads than cores would only wait for each other. */
const maxOfProcess = 8;

const running = new Map<string, number>();

/** Runs a search if a slot is free. Throws `too_many_searches`: waiting would hold the connection open. */
export async function withSearchSlot<T>(projectId: string, search: () => Promise<T>): Promise<T> {
  const own = running.get(projectId) ?? 0;
  const all = [...running.values()].reduce((sum, n) => sum + n, 0);
  if (own >= maxOfProject || all >= maxOfProcess)
    throw new SpillwayError(
      'too_many_searches',
      `Too many concurrent searches (${maxOfProject} of a project, ${maxOfProcess} of a process). Try again in 1 s.`,
    );
  running.set(projectId, own + 1);
  try {
    return await search();
  } finally {
    const left = running.get(projectId)! - 1;
    if (left === 0) running.delete(projectId);
    else running.set(projectId, left);
  }
}
