import type { Schemas } from '@spillway/client';
import { CommandError, UsageError, type Call, type Environment } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { stateOf } from './list-projects.js';
import { operatorOf } from './operator-client.js';
import { readProjects, type Project } from './read-projects.js';

/** Where each action is done, after the address of the project or of the server. */
const pathOf: Record<string, string> = {
  suspend: '/suspend',
  resume: '/resume',
  'pause-compaction': '/compaction/pause',
  'resume-compaction': '/compaction/resume',
};

/** Does an action to one project, and prints the project as it is then. */
export async function changeProject(
  { env, print }: Call,
  action: string,
  word: string | undefined,
): Promise<void> {
  if (word === undefined) throw new UsageError(`\`spillway projects ${action}\` needs a project.`);
  const { id } = await projectOf(env, word);
  const changed = await operatorOf(env)<Project>({
    method: 'POST',
    path: `/v1/projects/${id}${pathOf[action]}`,
  });
  if (print.json) return print.value(changed);
  await print.line(
    `${changed.name} (${changed.id}): ${stateOf(changed) === '-' ? 'in use' : stateOf(changed)}`,
  );
}

/** Pauses the compaction of all projects, or ends that, and prints how it is then. */
export async function changeServer({ env, print }: Call, action: string): Promise<void> {
  const path = `/v1/server${pathOf[action]}`;
  const pause = await operatorOf(env)<Schemas['ServerPause']>({ method: 'POST', path });
  if (print.json) return print.value(pause);
  const { paused_at: since, paused_projects: projects } = pause;
  const own = projects === 0 ? '' : ` Paused by themselves: ${projects}.`;
  await print.line(
    since === null
      ? `All projects: compaction runs.${own}`
      : `All projects: compaction paused since ${since}.${own}`,
  );
}

/** The project of an id or a name. */
export async function projectOf(env: Environment, word: string): Promise<Project> {
  const all = await readProjects(env);
  const found = all.find(({ id }) => id === word.toLowerCase()) ?? all.find(({ name }) => name === word);
  if (found) return found;
  throw new CommandError(
    'project_not_found',
    `The server has no project ${JSON.stringify(word)}.`,
    '`spillway projects` lists them.',
    exitCode.notFound,
  );
}
