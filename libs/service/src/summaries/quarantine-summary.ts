import { getSummaryInPlace } from './list-summaries.js';
import type { Runtime } from '../runtime.js';
import { withdrawSummaries, type Withdrawal } from './withdraw-summaries.js';

/**
 * Withdraws a generation with all that were folded or restored from it. It stays readable for analysis. Throws
 * `summary_not_found`.
 */
export async function quarantineSummary(
  rt: Runtime,
  projectId: string,
  threadId: string,
  generation: number,
): Promise<Withdrawal> {
  await getSummaryInPlace(rt, projectId, threadId, generation);
  return withdrawSummaries(rt, projectId, threadId, () => Promise.resolve({ what: { generation } }));
}
