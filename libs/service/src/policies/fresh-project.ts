import type { PolicyInput } from '@spillway/engine';
import type { ProjectSettings } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** The current settings of the project, which another process may have changed. */
export function freshProject(rt: Runtime, projectId: string): Promise<ProjectSettings> {
  rt.settings.forget(projectId);
  return rt.settings.project(projectId);
}

/** Whether a policy sets no key, so that no lock can refuse it. */
export const setsNothing = (policy: PolicyInput): boolean => Object.keys(policy).length === 0;
