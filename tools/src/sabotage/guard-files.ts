import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Guard } from './guard.js';

/**
 * The files with a guard's text: the source, which tests beside it read, and the built file, which all other tests
 * read. The console's sources and files other than TypeScript have no built file here.
 */
export const filesOf = ({ file }: Guard): string[] =>
  /\/src\/.*\.ts$/.test(file) ? [file, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js')] : [file];

const advice = 'correct its row in tools/src/sabotage, then run npm run sabotage -- --missing';

/** Why this guard cannot be removed as described; null when it can. */
export async function complaintOf(root: string, guard: Guard): Promise<string | null> {
  for (const path of filesOf(guard)) {
    const text = await readFile(join(root, path), 'utf8').catch(() => '');
    const found = text.split(guard.find).length - 1;
    if (found === 0) return `${guard.name}: its text is not in ${path} any more; ${advice}`;
    if (found > 1 && !guard.everywhere) return `${guard.name}: its text stands ${found} times in ${path}`;
  }
  const { file, name } = guard.test;
  const test = await readFile(join(root, file), 'utf8').catch(() => '');
  // A test made from a table has its name there.
  const isThere = test.includes(`'${name}'`) || (test.includes('test.each(') && /^[A-Z]+ \//.test(name));
  return isThere ? null : `${guard.name}: ${file} has no test "${name}"`;
}
