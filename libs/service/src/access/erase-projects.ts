import { projectPrefix } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import {
  deleteRowsOfProject,
  forgetProject,
  markProjectErased,
  projectsToErase,
  tablesOfProjects,
  type ProjectRow,
} from '@spillway/store';
import { reached } from '../crash-point.js';
import type { Runtime } from '../runtime.js';

/**
 * Asks for the erasure of a project. Its keys and sessions stop working, in other processes within seconds, and the
 * sweep erases the rest. Safe to repeat. Throws `project_not_found`, `project_name_differs`.
 */
export async function eraseProject(rt: Runtime, of: { id: string; name: string }): Promise<ProjectRow> {
  const row = await markProjectErased(rt.store.query, of);
  if (!row) throw new SpillwayError('project_not_found', 'No such project.');
  if (row.erasedAt === null)
    throw new SpillwayError('project_name_differs', 'The project with this id has another name.');
  rt.trustedCallers.forget(({ projectId }) => projectId === of.id);
  return row;
}

/** What one sweep spends on erasing projects, so that the outputs of the others are swept as well. */
const maxMs = 20_000;

/**
 * Erases what belongs to projects whose erasure was asked for, in batches with a transaction each: one that is
 * interrupted leaves rows and bytes for the next sweep. The project itself goes when what was begun before can no longer
 * write, such as an upload. Until then each sweep looks again. Part of the sweep, in the scope of the service.
 */
export async function eraseProjects(rt: Runtime): Promise<void> {
  const { query } = rt.store;
  const until = performance.now() + maxMs;
  for (const { id, isOver } of await projectsToErase(query, rt.orphanMs)) {
    try {
      if (!(await eraseContent(rt, id, until))) return;
      if (!isOver) continue;
      await forgetProject(query, id);
      rt.log.info({ projectId: id }, 'a project is erased');
    } catch (error) {
      rt.log.error({ err: error, projectId: id }, 'the erasure of a project failed; the next sweep goes on');
    }
  }
}

/** False when there was no time for all of it. */
async function eraseContent(rt: Runtime, projectId: string, until: number): Promise<boolean> {
  for (const table of tablesOfProjects) {
    let deleted: number;
    do {
      if (rt.draining.aborted || performance.now() > until) return false;
      deleted = await deleteRowsOfProject(rt.store.query, table, projectId);
    } while (deleted > 0);
    if (table === 'threads') reached('project.threads_erased');
  }
  await rt.blobs.removeAll(projectPrefix(projectId));
  return true;
}
