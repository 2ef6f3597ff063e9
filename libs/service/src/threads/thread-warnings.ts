import { contextWindowOf } from '@spillway/engine';
import type { GrownThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';

export interface ThreadWarning {
  code: 'unknown_model' | 'no_model';
  detail: string;
}

/** What is legal and probably unintended: a context window that nobody chose. */
export async function threadWarnings(rt: Runtime, row: GrownThread): Promise<ThreadWarning[]> {
  const { policy } = await rt.settings.ofRow(row);
  if (policy.context.context_window !== null) return [];
  const { overrides } = await rt.settings.project(row.projectId, row.settingsVersion);
  const { tokens, known } = contextWindowOf(row.model, overrides);
  if (known) return [];
  const window = `so its context window is ${tokens.toLocaleString('en-US')} tokens.`;
  return row.model === null
    ? [
        {
          code: 'no_model',
          detail: `The thread names no model, ${window} Set its model, or policy.context.context_window.`,
        },
      ]
    : [
        {
          code: 'unknown_model',
          detail: `The model ${JSON.stringify(row.model)} is not known, ${window} Add it with PUT /v1/models/{name}, or set policy.context.context_window.`,
        },
      ];
}
