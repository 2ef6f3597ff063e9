import { SpillwayError } from '@spillway/engine';

/** Searches of one project that run at the same time; each has a thread. */
const ofProject = 2;
/** The same, in this process: threads beyond the cores only wait for each other. */
const ofProcess = 8;

const running = new Map<string, number>();

/** Runs a search if there is room for it. Throws `too_many_searches`: to queue it would hold its connection open. */
export async function withSearchSlot<T>(projectId: string, search: () => Promise<T>): Promise<T> {
  const own = running.get(projectId) ?? 0;
  const all = [...running.values()].reduce((sum, n) => sum + n, 0);
  if (own >= ofProject || all >= ofProcess)
    throw new SpillwayError('too_many_searches', 'As many searches as may run are running; try again.');
  running.set(projectId, own + 1);
  try {
    return await search();
  } finally {
    const left = running.get(projectId)! - 1;
    if (left === 0) running.delete(projectId);
    else running.set(projectId, left);
  }
}
