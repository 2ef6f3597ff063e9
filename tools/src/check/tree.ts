import { basename, dirname } from 'node:path';
import { repositoryFiles } from '../repository-files.js';
import type { Say } from './check.js';

const maxFilesPerFolder = 20;
const vagueNames = /^(utils?|helpers?|common|misc|shared|base|manager)\b/i;
/**
 * Lists that grow by design: one file per decision, migration or picture. The root has the files that tools look for.
 */
const unbounded = /^(docs\/adr|docs\/console|prisma\/migrations|samples|\.)$/;

/** Files and folders are named after an idea, and a folder has few files. */
export async function checkTree(say: Say): Promise<string[]> {
  const paths = await repositoryFiles();
  const vague = paths.filter(
    (path) => vagueNames.test(basename(path)) || /\/(utils?|helpers?|common|misc)\//.test(path),
  );
  const folders = [...Map.groupBy(paths, dirname)].filter(
    ([folder, files]) => files.length > maxFilesPerFolder && !unbounded.test(folder),
  );
  say(`${paths.length} files in ${new Set(paths.map(dirname)).size} folders`);
  return [
    ...vague.map((path) => `${path}: name it after its idea`),
    ...folders.map(
      ([folder, files]) => `${folder} has ${files.length} files; at most ${maxFilesPerFolder}: group them`,
    ),
  ];
}
