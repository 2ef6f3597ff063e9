import type { ThreadRow } from '@spillway/store';
import { RateLimited } from '../access/throttle/take-or-refuse.js';
import { freshProject } from '../policies/fresh-project.js';
import type { Runtime } from '../runtime.js';
import { chatBudget, inWords, isSpent } from './day-budgets.js';
import { refuseSpentKey, type SpendingKey } from './key-budgets.js';

/** A model call of an agent, with the thread that it is about, if there is one. */
export interface SpendingCall {
  projectId: string;
  key: SpendingKey;
  thread: ThreadRow | undefined;
}

/**
 * Throws `chat_budget_spent` where the policy of a thread, and `key_budget_spent` where the key of the call allows model
 * calls of agents no more tokens today.
 */
export async function refuseSpentChat(rt: Runtime, { projectId, key, thread }: SpendingCall): Promise<void> {
  await refuseSpentProject(rt, projectId, thread);
  await refuseSpentKey(rt, projectId, key);
}

/** A thread that does not exist yet has the policy of its project. */
async function refuseSpentProject(
  rt: Runtime,
  projectId: string,
  thread: ThreadRow | undefined,
): Promise<void> {
  const policy = thread
    ? (await rt.settings.ofRow(thread)).policy
    : rt.settings.projectDefaults(await freshProject(rt, projectId));
  const budget = await chatBudget(rt, projectId, policy.chat);
  if (!isSpent(budget)) return;
  rt.metrics.add('spillway_chat_over_budget_total', { budget: 'project' });
  throw new RateLimited(
    `The tokens for model calls of today are spent: ${inWords(budget)}. The next day begins at midnight UTC.`,
    budget.msLeft,
    'chat_budget_spent',
  );
}
