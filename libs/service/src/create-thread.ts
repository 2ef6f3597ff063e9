import { SpillwayError, type PolicyInput } from '@spillway/engine';
import { insertThread, readThread, type ThreadRow } from '@spillway/store';
import { v7 as uuidV7 } from 'uuid';
import type { Runtime } from './runtime.js';
import { refuseBadPolicy, type ThreadSettings } from './settings.js';

export interface ThreadWishes {
  model: string | null;
  system: string | null;
  metadata: Record<string, string>;
  policy: PolicyInput;
}

/**
 * Creates a thread. Asking twice for the same is asking once: `created` is false then. Throws `thread_exists` when
 * the id is taken by a thread of other settings, `thread_erased`, and `invalid_request` for a policy that can't work.
 */
export async function createThread(
  rt: Runtime,
  projectId: string,
  id: string | undefined,
  wishes: ThreadWishes,
): Promise<{ thread: ThreadRow; created: boolean }> {
  const project = await rt.settings.project(projectId);
  const settings = await rt.settings.resolve(project, { ...wishes, policyVersion: 1 });
  refuseBadPolicy(settings, rt.summarizers);
  const uid = uuidV7();
  const columns = columnsOf(wishes, settings);
  const thread = await insertThread(rt.store.query, {
    projectId,
    uid,
    id: id ?? uid,
    liveTokens: settings.baseTokens,
    ...columns,
  });
  if (thread) return { thread, created: true };

  const existing = await readThread(rt.store.query, projectId, id!);
  if (existing?.deletedAt) throw new SpillwayError('thread_erased', 'A thread of this id was erased.');
  const same = existing && wished.every((key) => existing[key] === columns[key]);
  if (!same) throw new SpillwayError('thread_exists', 'A thread of this id exists, with other settings.');
  return { thread: existing, created: false };
}

const wished = ['model', 'system', 'metadata', 'policy'] as const;

/** The columns that follow from a thread's settings. */
export const columnsOf = (wishes: ThreadWishes, settings: ThreadSettings) => ({
  model: wishes.model,
  system: wishes.system,
  metadata: JSON.stringify(wishes.metadata),
  policy: JSON.stringify(wishes.policy),
  contextWindow: settings.budget.contextWindow,
  limitTokens: settings.budget.limit,
  triggerTokens: settings.budget.trigger,
  summaryEnabled: settings.policy.summary.enabled,
});
