import { SpillwayError, type FormatName, type PolicyInput } from '@spillway/engine';
import { insertThread, readThread, type ThreadRow } from '@spillway/store';
import { freshProject, setsNothing } from '../policies/fresh-project.js';
import { refuseLocked } from '../policies/policy-locks.js';
import type { Runtime } from '../runtime.js';
import { refuseBadPolicy } from '../policies/policy-problems.js';
import type { ThreadSettings } from '../policies/settings.js';
import { newUid } from './new-uid.js';
import { untilUnchanged } from './until-unchanged.js';

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

/**
 * Creates a thread. Idempotent: for the same request `created` is false. The statement that writes does nothing when the
 * project's settings changed since they were read. Throws `thread_exists` when the id belongs to a thread with other
 * settings, `thread_erased`, `thread_busy`, and `invalid_request` for an invalid policy.
 */
export async function createThread(
  rt: Runtime,
  projectId: string,
  id: string | undefined,
  input: ThreadInput,
): Promise<{ thread: ThreadRow; created: boolean }> {
  return untilUnchanged(async () => {
    // Locks of a policy that another process has replaced refuse nobody.
    const project = await (setsNothing(input.policy)
      ? rt.settings.project(projectId)
      : freshProject(rt, projectId));
    refuseLocked(rt, project, input.policy);
    const settings = await rt.settings.resolve(project, { ...sourceOf(input), policyVersion: 1 });
    refuseBadPolicy(settings, rt.summarizers);
    const uid = newUid();
    const columns = columnsOf(input, settings);
    const thread = await insertThread(rt.store.query, {
      projectId,
      uid,
      id: id ?? uid,
      liveTokens: settings.baseTokens,
      weighedVersion: settings.settingsVersion,
      ...columns,
    });
    if (thread) return { thread, created: true };

    const existing = id === undefined ? undefined : await readThread(rt.store.query, projectId, id);
    if (existing?.deletedAt) throw new SpillwayError('thread_erased', 'The thread with this id was erased.');
    if (!existing) {
      rt.settings.forget(projectId);
      return undefined;
    }
    const same = inputKeys.every((key) => existing[key] === columns[key]);
    if (!same) throw new SpillwayError('thread_exists', 'A thread with this id exists with other settings.');
    return { thread: existing, created: false };
  });
}

const inputKeys = ['model', 'system', 'tools', 'format', 'metadata', 'policy'] as const;

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
