import {
  explainPolicy,
  lockedKeys,
  SpillwayError,
  type FieldError,
  type PolicyInput,
} from '@spillway/engine';
import type { ProjectSettings } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { freshProject } from './fresh-project.js';
import { noThread } from './settings.js';

/** The levels whose locks bind the policies of threads and calls. */
const levelsOf = (rt: Runtime, project: ProjectSettings) =>
  rt.settings.levels(project, noThread).filter(({ name }) => name === 'server' || name === 'project');

/** Whether a policy sets no key: it changes nothing, and no lock can refuse it. */
export const setsNothing = (policy: PolicyInput): boolean => Object.keys(policy).length === 0;

/** Throws `invalid_request` with the locked keys that the policy of a thread or a call sets. */
export function refuseLocked(rt: Runtime, project: ProjectSettings, policy: PolicyInput): void {
  const errors: FieldError[] = lockedKeys(levelsOf(rt, project), policy).map((key) => ({
    path: `/policy/${key.replace('.', '/')}`,
    message: `is locked: the lock ${key} is set by the project or the server`,
  }));
  if (policy.locks?.length)
    errors.push({ path: '/policy/locks', message: "is allowed in the project's policy only" });
  if (errors.length > 0)
    throw new SpillwayError('invalid_request', 'The policy sets keys that are locked.', errors);
}

/**
 * Keys that affect cost or privacy. A key without `threads:manage` may set them only to the current value, a shorter
 * time to live, or a higher reclaim threshold.
 */
const guarded = [
  'summary.provider',
  'summary.model',
  'summary.prompt',
  'summary.schema',
  'summary.extractive_after_ms',
  'summary.max_tokens_per_day',
  'summary.min_fidelity',
  'summary.apply',
  'outputs.ttl_ms',
  'outputs.max_bytes',
  'context.min_reclaim_ratio',
  'chat.max_tokens_per_day',
] as const;

/** Throws `forbidden` with the guarded keys that a policy changes. */
export async function refuseGuarded(rt: Runtime, projectId: string, policy: PolicyInput): Promise<void> {
  if (setsNothing(policy)) return;
  const project = await freshProject(rt, projectId);
  const levels = levelsOf(rt, project);
  const { effective: before } = explainPolicy(levels);
  const { effective: after } = explainPolicy([...levels, { name: 'thread', policy }]);
  const errors = guarded
    .filter((key) => {
      const [was, is] = [valueAt(before, key), valueAt(after, key)];
      if (key === 'outputs.ttl_ms' || key === 'outputs.max_bytes') return Number(is) > Number(was);
      if (key === 'context.min_reclaim_ratio') return Number(is) < Number(was);
      return JSON.stringify(is) !== JSON.stringify(was);
    })
    .map((key) => ({ path: `/policy/${key.replace('.', '/')}`, message: 'needs a key with threads:manage' }));
  if (errors.length === 0) return;
  throw new SpillwayError('forbidden', 'These keys of a policy need the scope threads:manage.', errors);
}

function valueAt(policy: object, key: string): unknown {
  const [group, name] = key.split('.') as [string, string];
  return (policy as Record<string, Record<string, unknown>>)[group]![name];
}
