import type { FormatName, PolicyInput } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { ThreadSettings } from '../policies/settings.js';

export interface ThreadInput {
  model: string | null;
  system: string | null;
  /** Schemas of the agent's tools, in the form of its provider. */
  tools: readonly unknown[] | null;
  /** Of messages that are posted and read without a format. Null: OpenAI chat. */
  format: FormatName | null;
  metadata: Record<string, string>;
  policy: PolicyInput;
}

/** The settings of a thread that names none. */
export const noSettings: ThreadInput = {
  model: null,
  system: null,
  tools: null,
  format: null,
  metadata: {},
  policy: {},
};

/** The measured ratio between the provider's tokens and ours. */
export type Calibration = Pick<ThreadRow, 'calibration' | 'measuredRatio'>;

/** Before any usage was posted. */
export const uncalibrated: Calibration = { calibration: 1, measuredRatio: 1 };

/** The input from which a thread's settings are resolved. */
export const sourceOf = (input: ThreadInput, { calibration, measuredRatio }: Calibration = uncalibrated) => ({
  ...input,
  tools: input.tools === null ? null : JSON.stringify(input.tools),
  calibration,
  measuredRatio,
  requestTokens: 0,
});

/** The input that a thread was created or changed with. */
export const inputOf = (row: ThreadRow): ThreadInput => ({
  model: row.model,
  system: row.system,
  tools: row.tools === null ? null : (JSON.parse(row.tools) as unknown[]),
  format: row.format as FormatName | null,
  metadata: JSON.parse(row.metadata) as Record<string, string>,
  policy: JSON.parse(row.policy) as PolicyInput,
});

/** The columns that follow from a thread's settings. */
export const columnsOf = (
  input: ThreadInput,
  settings: ThreadSettings,
  { calibration, measuredRatio }: Calibration = uncalibrated,
) => ({
  calibration,
  measuredRatio,
  model: input.model,
  system: input.system,
  tools: input.tools === null ? null : JSON.stringify(input.tools),
  format: input.format,
  metadata: JSON.stringify(input.metadata),
  policy: JSON.stringify(input.policy),
  contextWindow: settings.budget.contextWindow,
  limitTokens: settings.budget.limit,
  triggerTokens: settings.budget.trigger,
  summaryEnabled: settings.policy.summary.enabled,
});
