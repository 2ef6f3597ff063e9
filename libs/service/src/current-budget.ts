import { contextWindowOf, mergeLevels, type PolicyInput } from '@spillway/engine';
import type { ProjectSettings, ThreadRow } from '@spillway/store';
import type { Runtime } from './runtime.js';
import { budgetIn } from './settings.js';

type Budgeted = Pick<
  ThreadRow,
  'policy' | 'model' | 'calibration' | 'measuredRatio' | 'contextWindow' | 'limitTokens' | 'triggerTokens'
>;

/**
 * Returns a thread with the budget that the policies of now give it. Its row keeps the budget of the last append until
 * the next one, so after a change of the project's policy the row and the context would name different triggers.
 */
export async function withCurrentBudget(rt: Runtime, row: ThreadRow): Promise<ThreadRow> {
  const { budget } = await rt.settings.ofRow(row);
  return { ...row, ...columnsOf(budget) };
}

/** The same for a row of a list, which has no system prompt and no tools: a budget does not depend on them. */
export function listedWithBudget<Row extends Budgeted>(rt: Runtime, project: ProjectSettings, row: Row): Row {
  const policy = JSON.parse(row.policy) as PolicyInput;
  const { input } = mergeLevels(rt.settings.levels(project, { policy }));
  const window = input.context?.context_window ?? contextWindowOf(row.model, project.overrides).tokens;
  return { ...row, ...columnsOf(budgetIn(window, input, row).budget) };
}

const columnsOf = (budget: { contextWindow: number; limit: number; trigger: number }) => ({
  contextWindow: budget.contextWindow,
  limitTokens: budget.limit,
  triggerTokens: budget.trigger,
});
