import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const peersFolder = fileURLToPath(new URL('../../peers/', import.meta.url));
const installed = `${peersFolder}node_modules/.installed-lock.json`;

/** Installs what bench/peers/package-lock.json names, unless it is there already. Throws with npm's status. */
export async function installPeers(): Promise<void> {
  const lock = await readFile(`${peersFolder}package-lock.json`, 'utf8');
  const before = await readFile(installed, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  if (before === lock) return;
  console.log('peers: installing bench/peers');
  // `npm run` names its own folder, and npm would install there.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const npm = spawn('npm', ['ci', '--ignore-scripts'], { cwd: peersFolder, env, stdio: 'inherit' });
  const [status] = (await once(npm, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`npm ci in bench/peers ended with ${status}.`);
  await writeFile(installed, lock);
}

/** The version of a package that bench/peers names. */
export async function versionOf(name: string): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(`${peersFolder}package.json`, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const version = dependencies[name];
  if (version === undefined) throw new Error(`bench/peers/package.json does not name ${name}.`);
  return version;
}
