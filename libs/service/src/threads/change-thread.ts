import { updateThread, type ThreadRow } from '@spillway/store';
import { columnsOf, sourceOf, uncalibrated, inputOf, type ThreadInput } from './thread-input.js';
import { getThread } from './get-thread.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { refuseStale, type IfVersion } from '../policies/policies.js';
import { refuseLocked } from '../policies/policy-locks.js';
import type { Runtime } from '../runtime.js';
import { refuseBadPolicy } from '../policies/policy-problems.js';
import { untilUnchanged } from './until-unchanged.js';
import { weighThread } from './weigh-thread.js';

/**
 * Changes the given settings and keeps the rest. A new trigger applies at once, and messages are weighed under the new
 * limit. `ifVersion` receives the version of the thread's policy. Throws `policy_changed`, `thread_busy`.
 */
export async function changeThread(
  rt: Runtime,
  projectId: string,
  id: string,
  change: Partial<ThreadInput>,
  ifVersion?: IfVersion,
): Promise<ThreadRow> {
  return untilUnchanged(async () => {
    const row = await getThread(rt, projectId, id);
    refuseStale(ifVersion, row.policy, change.policy && JSON.stringify(change.policy));
    const before = await rt.settings.ofRow(row);
    const input: ThreadInput = { ...inputOf(row), ...change };
    // Another model has another tokenizer.
    const calibration = input.model === row.model ? row : uncalibrated;
    const project = await rt.settings.project(projectId, row.settingsVersion);
    if (change.policy) refuseLocked(rt, project, change.policy);
    const after = await rt.settings.resolve(project, {
      ...sourceOf(input, calibration),
      policyVersion: row.policyVersion + 1,
    });
    refuseBadPolicy(after, rt.summarizers);
    const changed = await updateThread(
      rt.store.query,
      { projectId, uid: row.uid, policyVersion: row.policyVersion },
      { ...columnsOf(input, after, calibration), liveDelta: after.baseTokens - before.baseTokens },
    );
    rt.settings.forget(projectId, id);
    if (!changed) return undefined;
    hintCompaction(rt, changed);
    return (await weighThread(rt, projectId, id)) ?? changed;
  });
}
