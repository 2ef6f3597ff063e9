import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Guard } from './guard.js';
import { filesOf } from './guard-files.js';

const folders = ['apps', 'bench', 'deploy', 'examples', 'libs', 'prisma', 'samples', 'test', 'tools'];
const leftOut = new Set(['node_modules', '.next', '.git']);

/** A copy of the built checkout in which guards can be removed. The checkout itself is never changed. */
export interface Scratch {
  root: string;
  /** Runs a function without this guard, and restores it afterwards. */
  without: <T>(guard: Guard, run: () => Promise<T>) => Promise<T>;
  remove: () => Promise<void>;
}

export async function makeScratch(checkout: string): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), 'spillway-sabotage-'));
  const filter = (path: string) => !leftOut.has(basename(path));
  for (const folder of folders)
    await cp(join(checkout, folder), join(root, folder), { recursive: true, filter });
  for (const file of await readdir(checkout, { withFileTypes: true }))
    if (file.isFile()) await cp(join(checkout, file.name), join(root, file.name));
  await linkPackages(checkout, root);
  return {
    root,
    without: (guard, run) => without(root, guard, run),
    remove: () => rm(root, { recursive: true }),
  };
}

/** Other packages are the checkout's; ours must be the copy's. */
async function linkPackages(checkout: string, root: string): Promise<void> {
  const from = join(checkout, 'node_modules');
  const to = join(root, 'node_modules');
  await mkdir(join(to, '@spillway'), { recursive: true });
  for (const name of await readdir(from))
    if (name !== '@spillway') await symlink(join(from, name), join(to, name));
  // These are links like ../../libs/store, which lead into the copy when they stand in it.
  await cp(join(from, '@spillway'), join(to, '@spillway'), { recursive: true, verbatimSymlinks: true });
  for (const folder of ['apps', 'libs', '.'])
    for (const name of await readdir(join(root, folder))) {
      const nested = join(checkout, folder, name, 'node_modules');
      if (name !== 'node_modules' && (await readdir(nested).catch(() => [])).length > 0)
        await symlink(nested, join(root, folder, name, 'node_modules'));
    }
}

async function without<T>(root: string, guard: Guard, run: () => Promise<T>): Promise<T> {
  const files = filesOf(guard).map((path) => join(root, path));
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  try {
    for (const [i, path] of files.entries())
      await replaceFile(
        path,
        texts[i]!.replaceAll(guard.find, () => guard.replace),
      );
    return await run();
  } finally {
    for (const [i, path] of files.entries()) await replaceFile(path, texts[i]!);
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
