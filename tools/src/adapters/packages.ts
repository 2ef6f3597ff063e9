import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';

export interface AdapterPackage {
  folder: string;
  name: string;
  /** Its peer, the range of its versions, and the version that the tests run with. */
  framework: string;
  range: string;
  tested: string;
}

/** Adapters that the suite does not drive, and why. Their own tests run the real framework. */
export const outsideSuite: Readonly<Record<string, string>> = {
  'claude-agent':
    'its program makes its contexts itself, so that a proxy or a record is all that an adapter can add ([ADR 109](adr/0109-two-ways-for-the-claude-agent-sdk.md)); [its own tests](../test/agents/adapters/claude-agent.test.ts) run the program',
};

interface PackageFile {
  name: string;
  peerDependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const root = join(repository, 'libs/adapters');

/** Returns the packages in libs/adapters by name. The first peer of each is its framework. */
export async function adapterPackages(): Promise<AdapterPackage[]> {
  const folders = (await readdir(root)).sort();
  return Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(join(root, folder, 'package.json'), 'utf8');
      const { name, peerDependencies, devDependencies } = JSON.parse(text) as PackageFile;
      const [framework, range] = Object.entries(peerDependencies)[0]!;
      const tested = devDependencies?.[framework] ?? (await installedByTests(folder, framework));
      return { folder, name, framework, range, tested };
    }),
  );
}

/** The version of a framework that its tests install, because it is too large for `npm ci`. */
async function installedByTests(folder: string, framework: string): Promise<string> {
  const path = join(repository, 'test/agents/frameworks', folder, 'package.json');
  const { dependencies } = JSON.parse(await readFile(path, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const version = dependencies[framework];
  if (version === undefined) throw new Error(`${path} does not name ${framework}.`);
  return version;
}
