import {
  countByState,
  countParked,
  listUnsettled,
  readCompactionPause,
  recentSweeps,
  type UnsettledFilter,
} from '@spillway/store';
import type { Runtime } from '../runtime.js';

export type QueueQuery = Omit<UnsettledFilter, 'limit'> & { limit?: number };

/** The compaction backlog in Postgres, and what the last sweeps freed. */
export async function readQueue(rt: Runtime, { limit = 200, ...filter }: QueueQuery) {
  const { projectId } = filter;
  const [counts, parked, threads, sweeps, pause] = await Promise.all([
    countByState(rt.store.query, projectId),
    countParked(rt.store.query, projectId),
    listUnsettled(rt.store.query, { ...filter, limit }),
    recentSweeps(rt.store, projectId, 20),
    readCompactionPause(rt.store.query, projectId),
  ]);
  return { counts, parked, threads, sweeps, pausedAt: pause?.pausedAt ?? null };
}
