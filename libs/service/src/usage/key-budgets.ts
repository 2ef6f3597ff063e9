import { chatTokensOfKeys, keySpentToday, spentKeys, type CallerRow, type KeyRow } from '@spillway/store';
import { RateLimited } from '../access/throttle/take-or-refuse.js';
import type { Runtime } from '../runtime.js';
import { inWords, isSpent } from './day-budgets.js';

/** The key of a model call: of a session or a thread token, the key that started or issued it. */
export type SpendingKey = Pick<CallerRow, 'keyId' | 'hasChatBudget'>;

/**
 * Throws `key_budget_spent` where a key allows the model calls of agents no more tokens today. The budget is read with
 * what was spent, so that a raised one holds in every process at once. A key without one costs no statement.
 */
export async function refuseSpentKey(
  rt: Runtime,
  projectId: string,
  { keyId, hasChatBudget }: SpendingKey,
): Promise<void> {
  if (!hasChatBudget) return;
  const found = await keySpentToday(rt.store.query, projectId, keyId);
  if (!found || found.maxTokens === null) return;
  const spentTokens = found.tokens + rt.usage.chatTokensOfKey(projectId, keyId);
  const budget = { maxTokens: found.maxTokens, spentTokens };
  if (!isSpent(budget)) return;
  rt.metrics.add('spillway_chat_over_budget_total', { budget: 'key' });
  throw new RateLimited(
    `The tokens for model calls of today with the key "${found.name}" are spent: ${inWords(budget)}. The next day begins at midnight UTC.`,
    found.msLeft,
    'key_budget_spent',
  );
}

/** A key with the tokens that model calls of agents took with it today. */
export type KeyOfToday = KeyRow & { chatTokensToday: number };

export async function withTokensOfToday(
  rt: Runtime,
  projectId: string,
  rows: readonly KeyRow[],
): Promise<KeyOfToday[]> {
  const ids = rows.map(({ id }) => id);
  const written = await chatTokensOfKeys(rt.store.query, projectId, ids);
  return rows.map((row) => ({
    ...row,
    chatTokensToday: (written.get(row.id) ?? 0) + rt.usage.chatTokensOfKey(projectId, row.id),
  }));
}

/** Keys that a concern names. */
const maxNamed = 5;

/**
 * Names live keys whose budget is spent. Only a caller who may list keys gets their names. What no process has written yet
 * is not in it: the concern is seconds late.
 */
export async function spentKeysConcern(rt: Runtime, projectId: string, mayListKeys: boolean) {
  const keys = await spentKeys(rt.store.query, projectId, maxNamed);
  const [first] = keys;
  if (!first) return [];
  const listed = keys.map((key) => (mayListKeys ? `${key.name}: ${inWords(key)}` : inWords(key)));
  const further = first.count - keys.length;
  const reason = [...listed, ...(further > 0 ? [`and ${further} more`] : [])].join('; ');
  return [{ kind: 'key_budget_spent' as const, reason, count: first.count, threads: [] }];
}
