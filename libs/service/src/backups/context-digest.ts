import { createHash } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import { readContext } from '../context/read-context.js';
import type { Runtime } from '../runtime.js';

/**
 * SHA-256 of what a model would be sent now, with the version of the thread's row that it is of. Null when no context
 * fits the budget.
 */
export async function contextDigest(
  rt: Runtime,
  projectId: string,
  threadId: string,
): Promise<{ sha256: string; rowVersion: string } | null> {
  try {
    const { system, messages, made } = await readContext(rt, { projectId, threadId });
    const sha256 = createHash('sha256')
      .update(JSON.stringify([system, messages]))
      .digest('hex');
    return { sha256, rowVersion: made.row.rowVersion };
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'budget_too_small') return null;
    throw error;
  }
}
