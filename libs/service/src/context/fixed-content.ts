import type { ThreadRow } from '@spillway/store';
import { BudgetTooSmall } from './build-context.js';
import { readContext } from './read-context.js';
import type { Runtime } from '../runtime.js';
import { largestWindow } from '../policies/policy-problems.js';
import { budgetIn, type ThreadSettings } from '../policies/settings.js';

/** Why nothing of a thread can be summarized, in tokens. */
export interface FixedContent {
  fixedTokens: number;
  limitTokens: number;
  triggerTokens: number;
  /** False: no context fits the limit. */
  servesContext: boolean;
  /** The smallest window under which the fixed content stays below the trigger; null when no window is enough. */
  smallestWindow: number | null;
}

/** The numbers of a thread that is parked as irreducible; null for every other. */
export async function fixedContentOf(rt: Runtime, row: ThreadRow): Promise<FixedContent | null> {
  if (row.state !== 'parked' || row.parkReason !== 'irreducible') return null;
  const settings = await rt.settings.ofRow(row);
  const minimum = await refusedBelow(rt, row);
  const { limit, trigger } = settings.budget;
  const fixedTokens = minimum ?? row.liveTokens;
  return {
    fixedTokens,
    limitTokens: limit,
    triggerTokens: trigger,
    servesContext: minimum === null,
    smallestWindow: smallestWindow(settings, row, Math.max(fixedTokens, row.liveTokens)),
  };
}

/** The smallest budget that the thread's context needs, when its own is smaller; else null. */
async function refusedBelow(rt: Runtime, { projectId, id }: ThreadRow): Promise<number | null> {
  try {
    await readContext(rt, { projectId, threadId: id });
    return null;
  } catch (error) {
    if (error instanceof BudgetTooSmall) return error.minimum;
    throw error;
  }
}

/** The smallest context window whose trigger is above `tokens`; null when the policy keeps the trigger below it. */
export function smallestWindow(
  { input, budget }: Pick<ThreadSettings, 'input' | 'budget'>,
  counted: Pick<ThreadRow, 'calibration' | 'measuredRatio'>,
  tokens: number,
): number | null {
  const isEnough = (window: number) => budgetIn(window, input, counted).budget.trigger > tokens;
  if (!isEnough(largestWindow)) return null;
  let low = budget.contextWindow;
  let high = largestWindow;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
