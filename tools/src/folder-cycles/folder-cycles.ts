import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Say } from '../check/check.js';
import { repository } from '../repository.js';
import { repositoryFiles } from '../repository-files.js';

/** Two folders of one parent: a file of the first imports a file of the second. */
interface Import {
  parent: string;
  from: string;
  to: string;
  /** The first import found, for the complaint. */
  file: string;
}

/** Source texts by their path from the checked folder. */
export type Sources = ReadonlyMap<string, string>;

const relativeImports = /(?:\bfrom |\bimport\(|^import )'(\.{1,2}\/[^']+)'/gm;

/**
 * The folders that import each other in a cycle, a complaint for each cycle. Compared are folders beside each other, at
 * every depth, each with all that it holds. A parent is not compared with its own folders: a table such as
 * `formats.ts` lists the formats below it, and each of them implements `format.ts`.
 */
export function folderCycles(sources: Sources): string[] {
  const byParent = Map.groupBy(importsIn(sources), ({ parent }) => parent);
  return [...byParent].flatMap(([parent, imports]) => {
    const cycle = cycleIn(imports) ?? [];
    const [first] = cycle;
    if (!first) return [];
    const folders = [...cycle.map(({ from }) => from), first.from].map((folder) => join(parent, folder));
    return [`${folders.join(' -> ')}: ${cycle.map(({ file, to }) => `${file} imports ${to}`).join(', ')}`];
  });
}

/**
 * The imports that go against the order in which the index of the checked folder names its folders. The index is read
 * as the explanation of the whole: it names a folder after all that the folder builds on.
 */
export function againstIndex(sources: Sources): string[] {
  const order = new Map<string, number>();
  for (const [, path] of (sources.get('index.ts') ?? '').matchAll(relativeImports)) {
    const [, folder = ''] = path!.split('/');
    if (!order.has(folder)) order.set(folder, order.size);
  }
  return importsIn(sources)
    .filter(({ parent, from, to }) => {
      const [user, used] = [order.get(from), order.get(to)];
      return parent === '' && user !== undefined && used !== undefined && used > user;
    })
    .map(({ from, to, file }) => `${file} imports ${to}, which index.ts names after ${from}`);
}

function importsIn(sources: Sources): Import[] {
  const found = new Map<string, Import>();
  for (const [file, text] of sources)
    for (const [, path] of text.matchAll(relativeImports)) {
      const one = besides(file, join(dirname(file), path!));
      const key = `${one.parent}/${one.from}>${one.to}`;
      if (one.from !== '' && one.to !== '' && !found.has(key)) found.set(key, { ...one, file });
    }
  return [...found.values()];
}

/** Where the paths of two files part: the parent, and the folder on each side; empty for a file of the parent. */
function besides(file: string, imported: string): Omit<Import, 'file'> {
  const [here, there] = [dirname(file).split('/'), dirname(imported).split('/')];
  let at = 0;
  while (at < here.length && here[at] === there[at]) at++;
  const folderOf = (path: readonly string[]): string => (path[at] === '.' ? '' : (path[at] ?? ''));
  return { parent: here.slice(0, at).join('/'), from: folderOf(here), to: folderOf(there) };
}

/** A cycle among these imports, from one of its folders on; undefined when there is none. */
function cycleIn(imports: readonly Import[]): Import[] | undefined {
  const byFrom = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const visit = (folder: string, path: readonly Import[]): Import[] | undefined => {
    const begins = path.findIndex(({ from }) => from === folder);
    if (begins >= 0) return path.slice(begins);
    if (done.has(folder)) return undefined;
    done.add(folder);
    for (const one of byFrom.get(folder) ?? []) {
      const cycle = visit(one.to, [...path, one]);
      if (cycle) return cycle;
    }
    return undefined;
  };
  for (const folder of byFrom.keys()) {
    const cycle = visit(folder, []);
    if (cycle) return cycle;
  }
  return undefined;
}

const checked = 'libs/engine/src';

/** The folders of the engine can be read in the order of its index. Tests may use whatever shows what they test. */
export async function checkFolderCycles(say: Say): Promise<string[]> {
  const files = await repositoryFiles(checked);
  const paths = files.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  const sources = new Map(
    await Promise.all(
      paths.map(
        async (path) => [relative(checked, path), await readFile(join(repository, path), 'utf8')] as const,
      ),
    ),
  );
  say(`${sources.size} files, ${importsIn(sources).length} imports between folders`);
  return sources.size === 0
    ? [`${checked} holds no source`]
    : [...folderCycles(sources), ...againstIndex(sources)].map((complaint) => `${checked}: ${complaint}`);
}
