import type { Policy } from '@spillway/engine';
import { chatSpentToday, summaryTokensToday } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** What models may take in a project on a day in UTC, and what they took: input and output tokens. */
export interface DayBudget {
  maxTokens: number;
  spentTokens: number;
}

/**
 * Returns today's budget of summaries; null where the policy has none or asks no model. Attempts that run are not in it
 * yet, so a project exceeds its budget by at most what is summarized at the same time.
 */
export async function summaryBudget(
  rt: Runtime,
  projectId: string,
  { provider, max_tokens_per_day: maxTokens }: Policy['summary'],
): Promise<DayBudget | null> {
  if (provider === 'extractive' || maxTokens === null) return null;
  return { maxTokens, spentTokens: await summaryTokensToday(rt.store.query, projectId) };
}

/**
 * Returns today's budget of agents' model calls, with when the day ends; null where the policy has none. Calls that run
 * are not in it yet, nor what other processes counted in the last seconds: a project exceeds its budget by at most that.
 */
export async function chatBudget(
  rt: Runtime,
  projectId: string,
  { max_tokens_per_day: maxTokens }: Policy['chat'],
): Promise<(DayBudget & { msLeft: number }) | null> {
  if (maxTokens === null) return null;
  const { tokens, msLeft } = await chatSpentToday(rt.store.query, projectId);
  return { maxTokens, spentTokens: tokens + rt.usage.chatTokens(projectId), msLeft };
}

export const isSpent = <B extends DayBudget>(budget: B | null): budget is B =>
  budget !== null && budget.spentTokens >= budget.maxTokens;

/** As `1,234 of 1,000 tokens`. */
export const inWords = ({ spentTokens, maxTokens }: DayBudget): string =>
  `${spentTokens.toLocaleString('en-US')} of ${maxTokens.toLocaleString('en-US')} tokens`;
