import { SpillwayError } from '@spillway/engine';
import { insertThread, readThread, type ThreadRow } from '@spillway/store';
import { freshProject } from '../policies/fresh-project.js';
import { refuseLocked, setsNothing } from '../policies/policy-locks.js';
import type { Runtime } from '../runtime.js';
import { refuseBadPolicy } from '../policies/policy-problems.js';
import { newUid } from './new-uid.js';
import { columnsOf, sourceOf, type ThreadInput } from './thread-input.js';
import { untilUnchanged } from './until-unchanged.js';

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
