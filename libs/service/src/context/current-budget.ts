import type { ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/**
 * Returns a thread with the budget under the current policies. Its row keeps the budget of the last append until the
 * next one, so after a change of the project's policy the row and the context would show different triggers.
 */
export async function withCurrentBudget(rt: Runtime, row: ThreadRow): Promise<ThreadRow> {
  const { budget } = await rt.settings.ofRow(row);
  const { contextWindow, limit: limitTokens, trigger: triggerTokens } = budget;
  return { ...row, contextWindow, limitTokens, triggerTokens };
}
