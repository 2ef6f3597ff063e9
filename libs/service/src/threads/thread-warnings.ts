import { contextWindowOf } from '@spillway/engine';
import type { GrownThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

export interface WindowWarning {
  code: 'unknown_model' | 'no_model';
  detail: string;
}

export interface SummariesOff {
  code: 'summaries_off';
  detail: string;
}

export type ThreadWarning = WindowWarning | SummariesOff;

/** What is legal and probably unintended. */
export async function threadWarnings(rt: Runtime, row: GrownThread): Promise<ThreadWarning[]> {
  const warnings = [await windowWarning(rt, row), await summariesOff(rt, row)];
  return warnings.filter((warning) => warning !== null);
}

/** A context window that nobody chose. */
export async function windowWarning(rt: Runtime, row: GrownThread): Promise<WindowWarning | null> {
  const { policy } = await rt.settings.ofRow(row);
  if (policy.context.context_window !== null) return null;
  const { overrides } = await rt.settings.project(row.projectId, row.settingsVersion);
  const { tokens, known } = contextWindowOf(row.model, overrides);
  if (known) return null;
  const window = `so its context window is ${tokens.toLocaleString('en-US')} tokens.`;
  return row.model === null
    ? {
        code: 'no_model',
        detail: `The thread names no model, ${window} Set its model, or policy.context.context_window.`,
      }
    : {
        code: 'unknown_model',
        detail: `The model ${JSON.stringify(row.model)} is not known, ${window} Add it with PUT /v1/models/{name}, or set policy.context.context_window.`,
      };
}

/** A thread that outgrew its limit and that nothing folds. */
async function summariesOff(rt: Runtime, row: GrownThread): Promise<SummariesOff | null> {
  const { policy, budget } = await rt.settings.ofRow(row);
  if (policy.summary.enabled || row.liveTokens <= budget.limit) return null;
  const [live, limit] = [row.liveTokens, budget.limit].map((tokens) => tokens.toLocaleString('en-US'));
  return {
    code: 'summaries_off',
    detail: `The thread has ${live} tokens, its contexts may have ${limit}, and policy.summary.enabled is false: contexts shorten or leave out old messages. Turn summaries on, or compact the thread by hand.`,
  };
}
