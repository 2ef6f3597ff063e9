import { retryMany } from '@spillway/store';
import { hintCompaction } from './hint-compaction.js';
import type { Runtime } from '../runtime.js';

/** Maximum of threads per call; the caller repeats the call for more. */
const maxThreads = 1_000;

/**
 * Retries every thread in a state; of parked threads those parked for `reason`, when given. Returns how many, and
 * whether there are more.
 */
export async function retryThreads(
  rt: Runtime,
  projectId: string,
  { state, reason }: { state: 'parked' | 'backoff'; reason?: string },
): Promise<{ retried: number; more: boolean }> {
  const of = { projectId, state, reason: reason ?? null, limit: maxThreads };
  const rows = await retryMany(rt.store.query, of);
  for (const row of rows) hintCompaction(rt, row);
  return { retried: rows.length, more: rows.length === maxThreads };
}
