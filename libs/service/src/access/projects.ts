import { SpillwayError } from '@spillway/engine';
import {
  insertKeyOfProject,
  insertProject,
  listProjects as readProjects,
  setProjectStopped,
  type KeyRow,
  type ProjectRow,
} from '@spillway/store';
import { pageOfWhole, type ListQuery } from '../paging/page-of-whole.js';
import type { Page } from '../paging/cursor.js';
import type { Runtime } from '../runtime.js';
import { hashOf, newKey } from './authenticate.js';

export type { ProjectRow };

/** All projects of the service, by name. */
export const listProjects = async (rt: Runtime, query: ListQuery): Promise<Page<ProjectRow>> =>
  pageOfWhole(await readProjects(rt.store.query), query, { list: 'projects', keyOf: ({ name }) => name });

/**
 * Creates a project with its first admin key, both or neither. Only the hash of the key is stored, so it is returned here
 * and never again. Throws `project_exists`.
 */
export async function createProject(rt: Runtime, name: string): Promise<{ row: ProjectRow; key: string }> {
  const key = newKey();
  const row = await insertProject(rt.store.query, name, { name: 'first', ...adminKey(key) });
  if (!row) throw new SpillwayError('project_exists', 'A project has this name.');
  return { row, key };
}

/** Creates an admin key of a project, for one whose own keys are lost. Throws `project_not_found`. */
export async function createAdminKey(
  rt: Runtime,
  projectId: string,
  name: string,
): Promise<{ row: KeyRow; key: string }> {
  const key = newKey();
  const row = await insertKeyOfProject(rt.store, projectId, {
    ...{ name, expiresAt: null, maxChatTokensPerDay: null },
    ...adminKey(key),
  });
  if (!row) throw new SpillwayError('project_not_found', 'No such project.');
  return { row, key };
}

/**
 * Refuses all requests of a project from now on, or serves them again. Other processes and open streams follow within
 * seconds. Nothing is deleted but what expires meanwhile. Safe to repeat. Throws `project_not_found`.
 */
export async function suspendProject(rt: Runtime, id: string, isSuspended: boolean): Promise<ProjectRow> {
  const row = await setProjectStopped(rt.store.query, id, 'requests', isSuspended);
  if (!row) throw new SpillwayError('project_not_found', 'No such project.');
  rt.trustedCallers.forget(({ projectId }) => projectId === id);
  return row;
}

const adminKey = (key: string) => ({ prefix: key.slice(0, 8), hash: hashOf(key), scopes: ['admin'] });
