import { callersSummary, type CallersSummary, type ThreadRow } from '@spillway/store';
import type { Runtime } from '../../runtime.js';

/**
 * The caller's own summary that the active one was made from, or that was active below one that was withdrawn. Null
 * without any.
 */
export async function callersBehind(rt: Runtime, row: ThreadRow): Promise<CallersSummary | null> {
  const { projectId, uid: threadUid, generation } = row;
  return (await callersSummary(rt.store.query, { projectId, threadUid, generation })) ?? null;
}
