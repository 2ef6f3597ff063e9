import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minNode } from '@spillway/node-version';
import { satisfies } from 'semver';
import { installNode, type Lock, packagesThatWarn } from '../lock/locked-engines.js';
import { repository } from '../repository.js';
import type { Say } from './check.js';

interface Package {
  name?: string;
  engines?: { node?: string };
  devEngines?: { runtime?: { version?: string } };
}

/**
 * `npm ci` prints no warning on Node 20, and every installed package accepts the Node.js version that the programs
 * require. Reads the installed packages, because the lock file leaves out some engines.
 */
export async function checkNodeEngines(say: Say): Promise<string[]> {
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await readFile(join(repository, path), 'utf8')) as T;
  const [lock, root] = [await read<Lock>('package-lock.json'), await read<Package>('package.json')];
  const complaints = packagesThatWarn(lock).map(
    (path) => `${path} makes npm ci warn on Node ${installNode}: run npm run lock`,
  );
  const [runs, installs] = [`>=${minNode.replace(/\.0$/, '')}`, `>=${installNode.replace(/\.0$/, '')}`];
  if (root.engines?.node !== runs) complaints.push(`package.json: engines.node must be ${runs}`);
  if (root.devEngines?.runtime?.version !== installs)
    complaints.push(`package.json: devEngines.runtime.version must be ${installs}`);
  let packages = 0;
  for (const path of await installedPackages()) {
    const { name, engines } = await read<Package>(path);
    packages++;
    if (engines?.node && !satisfies(minNode, engines.node))
      complaints.push(`${name} needs Node ${engines.node}, and minNode is ${minNode}`);
  }
  say(`${packages} packages`);
  return complaints;
}

async function installedPackages(): Promise<string[]> {
  const folder = 'node_modules';
  const names = async (under: string): Promise<string[]> =>
    (await readdir(join(repository, under)))
      .filter((name) => !name.startsWith('.'))
      .map((name) => join(under, name));
  const top = await names(folder);
  const scoped = await Promise.all(top.filter((path) => path.includes('@')).map(names));
  const paths = [...top.filter((path) => !path.includes('@')), ...scoped.flat()];
  return paths.map((path) => join(path, 'package.json'));
}
