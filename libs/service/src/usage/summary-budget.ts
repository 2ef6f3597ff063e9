import type { Policy } from '@spillway/engine';
import { summaryTokensToday } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** What models may take for the summaries of a project on a day in UTC, and what they took. */
export interface SummaryBudget {
  maxTokens: number;
  spentTokens: number;
}

/**
 * Returns the budget of today; null where the policy has none or asks no model. Attempts that run are not in it yet, so a
 * project exceeds its budget by at most what is summarized at the same time.
 */
export async function summaryBudget(
  rt: Runtime,
  projectId: string,
  { provider, max_tokens_per_day: maxTokens }: Policy['summary'],
): Promise<SummaryBudget | null> {
  if (provider === 'extractive' || maxTokens === null) return null;
  return { maxTokens, spentTokens: await summaryTokensToday(rt.store.query, projectId) };
}

export const isSpent = (budget: SummaryBudget | null): budget is SummaryBudget =>
  budget !== null && budget.spentTokens >= budget.maxTokens;
