import type { ProjectSettings } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** The current settings of the project, which another process may have changed. */
export function freshProject(rt: Runtime, projectId: string): Promise<ProjectSettings> {
  rt.settings.forget(projectId);
  return rt.settings.project(projectId);
}
