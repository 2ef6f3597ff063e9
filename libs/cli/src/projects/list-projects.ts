import { inColumns } from '../program/columns.js';
import type { Call } from '../program/command.js';
import { terminalLine } from '../program/terminal-text.js';
import { readProjects, type Project } from './read-projects.js';

/** Prints all projects by name; with --json one a line, as GET /v1/projects lists them. */
export async function listProjects({ env, print }: Call): Promise<void> {
  const projects = await readProjects(env);
  if (print.json) {
    for (const project of projects) await print.value(project);
    return;
  }
  const rows = projects.map((project) => [
    project.id,
    terminalLine(project.name, 40),
    project.created_at,
    String(project.admin_keys),
    stateOf(project),
  ]);
  for (const line of inColumns([['ID', 'NAME', 'CREATED', 'ADMIN KEYS', 'STATE'], ...rows]))
    await print.line(line);
}

/** What the operator did to a project; a dash where nothing. */
export function stateOf(
  project: Pick<Project, 'suspended_at' | 'compaction_paused_at'> & Partial<Project>,
): string {
  const { erased_at: erased, suspended_at: suspended, compaction_paused_at: paused } = project;
  if (erased) return `is being erased since ${erased}`;
  const states = [
    ...(suspended === null ? [] : [`suspended since ${suspended}`]),
    ...(paused === null ? [] : [`compaction paused since ${paused}`]),
  ];
  return states.join(', ') || '-';
}
