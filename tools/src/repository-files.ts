import { runCommand } from './run-command.js';

/** Returns the files that git tracks, and new ones that it does not ignore, by their paths from the top of this checkout. */
export async function repositoryFiles(...under: string[]): Promise<string[]> {
  const listed = ['git', 'ls-files', '--cached', '--others', '--exclude-standard', ...under];
  const { ok, output } = await runCommand(listed);
  if (!ok) throw new Error(output);
  return output.split('\n').filter((path) => path !== '');
}
