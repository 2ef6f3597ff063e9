import { createHash } from 'node:crypto';
import {
  explainPolicy,
  SpillwayError,
  type Budget,
  type Policy,
  type PolicyInput,
  type PolicyLevel,
  type PolicyProblem,
  type PolicySource,
} from '@spillway/engine';
import { changeProjectPolicy } from '@spillway/store';
import { getThread } from '../threads/get-thread.js';
import type { Runtime } from '../runtime.js';
import { hintUnparked } from '../compaction/hint-compaction.js';
import { freshProject } from './fresh-project.js';
import { problemsOf, refuseBadPolicy } from './policy-problems.js';
import { noThread } from './settings.js';

/** The effective policy with the source of each value. */
export interface Explained {
  effective: Policy;
  sources: Record<string, PolicySource>;
}

/** The effective policy at one level, its sources, and what would apply without that level. */
export interface ExplainedPolicy extends Explained {
  inherited: Explained;
}

/** A level's policy as it was set, with the version for a conditional change. */
export interface PolicyView extends ExplainedPolicy {
  policy: PolicyInput;
  version: string;
}

/** The precondition of a change: whether the policy may have this version. Undefined: any version. */
export type IfVersion = ((version: string) => boolean) | undefined;

/** The version is a hash of the text. */
export const policyVersionOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** Throws `policy_changed` when the policy has not the version that a change asks for, unless it is as `wanted` already. */
export function refuseStale(ifVersion: IfVersion, text: string, wanted?: string): void {
  if (ifVersion && text !== wanted && !ifVersion(policyVersionOf(text))) {
    throw new SpillwayError(
      'policy_changed',
      'The policy changed meanwhile. Read it again, then repeat the change.',
    );
  }
}

/** Explains the levels up to `top`; above it there is nothing to inherit from. */
function explained(levels: readonly PolicyLevel[], top: 'project' | 'thread'): ExplainedPolicy {
  const at = levels.findIndex(({ name }) => name === top);
  return { ...explainPolicy(levels.slice(0, at + 1)), inherited: explainPolicy(levels.slice(0, at)) };
}

/** The project's policy, and what applies with server and defaults merged in. */
export async function getPolicy(rt: Runtime, projectId: string): Promise<PolicyView> {
  const project = await freshProject(rt, projectId);
  return {
    policy: JSON.parse(project.policy) as PolicyInput,
    ...explained(rt.settings.levels(project, noThread), 'project'),
    version: policyVersionOf(project.policy),
  };
}

/** The thread's policy, what applies to it, and its budget. Throws `thread_not_found`. */
export async function getThreadPolicy(
  rt: Runtime,
  projectId: string,
  id: string,
): Promise<PolicyView & { budget: Budget }> {
  const row = await getThread(rt, projectId, id);
  const project = await freshProject(rt, projectId);
  const policy = JSON.parse(row.policy) as PolicyInput;
  const { budget } = await rt.settings.resolve(project, { ...row, policy });
  const levels = rt.settings.levels(project, { policy });
  return { policy, ...explained(levels, 'thread'), budget, version: policyVersionOf(row.policy) };
}

/**
 * Replaces the project's policy. Threads adopt it with their next message or context; those that are parked as irreducible
 * or rejected are due again at once. A change that is done already is no conflict, so that a retry is safe. `at` is
 * where the body has the policy. Throws `policy_changed`.
 */
export async function changePolicy(
  rt: Runtime,
  projectId: string,
  policy: PolicyInput,
  ifVersion?: IfVersion,
  at: '' | '/policy' = '',
): Promise<PolicyView> {
  const project = await freshProject(rt, projectId);
  const text = JSON.stringify(policy);
  refuseStale(ifVersion, project.policy, text);
  const settings = await rt.settings.resolve({ ...project, policy: text }, noThread);
  refuseBadPolicy(settings, rt.summarizers, at);
  const before = ifVersion ? project.policy : undefined;
  const unparked = await changeProjectPolicy(rt.store, projectId, text, before);
  rt.settings.forget(projectId);
  if (unparked) hintUnparked(rt, unparked);
  else refuseStale(() => false, (await freshProject(rt, projectId)).policy, text);
  return getPolicy(rt, projectId);
}

/**
 * The effect of a policy for the project or this thread: what would apply, and its problems. Changes nothing. Throws
 * `thread_not_found`.
 */
export async function previewPolicy(
  rt: Runtime,
  projectId: string,
  { policy, threadId }: { policy: PolicyInput; threadId?: string | undefined },
): Promise<ExplainedPolicy & { budget: Budget | null; problems: PolicyProblem[] }> {
  const row = threadId === undefined ? null : await getThread(rt, projectId, threadId);
  const fresh = await freshProject(rt, projectId);
  const project = row ? fresh : { ...fresh, policy: JSON.stringify(policy) };
  const thread = row ? { ...row, policy } : noThread;
  const settings = await rt.settings.resolve(project, thread);
  return {
    ...explained(rt.settings.levels(project, thread), row ? 'thread' : 'project'),
    budget: row ? settings.budget : null,
    problems: problemsOf(settings, rt.summarizers),
  };
}
