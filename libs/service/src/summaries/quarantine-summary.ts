import { type ThreadRow } from '@spillway/store';
import { getSummary } from './list-summaries.js';
import type { Runtime } from '../runtime.js';
import { withdrawSummaries } from './withdraw-summaries.js';

/**
 * Takes a generation out of service, with all that were folded or restored from it: it says what it should not, and
 * stays readable for whoever looks into that. Throws `summary_not_found`.
 */
export async function quarantineSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<ThreadRow> {
  await getSummary(rt, projectId, threadId, generation);
  return withdrawSummaries(rt, projectId, threadId, () => Promise.resolve({ what: { generation } }));
}
