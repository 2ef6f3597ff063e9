import { countByState, listUnsettled, recentSweeps } from '@spillway/store';
import type { Runtime } from './runtime.js';

/** What compaction has to do, as Postgres knows it, and what the last sweeps freed. */
export async function readQueue(rt: Runtime, projectId: string) {
  const [counts, threads, sweeps] = await Promise.all([
    countByState(rt.store.query, projectId),
    listUnsettled(rt.store.query, projectId, 200),
    recentSweeps(rt.store, projectId, 20),
  ]);
  return { counts, threads, sweeps };
}
