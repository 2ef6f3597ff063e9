import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const sources = new URL('.', import.meta.url);
const cache = fileURLToPath(new URL('../../../.cache/frameworks/', import.meta.url));

/** The longest installation, for the limits of hooks. */
export const maxInstallMs = 300_000;

/**
 * Installs a framework that is too large for `npm ci` of the repository, as its lock file in this folder says, and
 * returns the folder that has its node_modules. One that is there is used again.
 */
export async function installFramework(name: string): Promise<string> {
  const source = fileURLToPath(new URL(`${name}/`, sources));
  const lock = await readFile(`${source}package-lock.json`);
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = `${cache}${name}-${hash}`;
  if (await exists(folder)) return folder;
  // Test files run at the same time: each installs for itself, and the first one that is done puts it in place.
  const own = `${cache}${name}-${randomUUID()}`;
  await mkdir(own, { recursive: true });
  try {
    for (const file of ['package.json', 'package-lock.json']) await cp(`${source}${file}`, `${own}/${file}`);
    await npmCi(own);
    await rename(own, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
    return folder;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * Returns why a framework cannot be used here, or null when it is there. With CI=true, where a change is decided, a
 * framework that is missing is an error. `prepare` does what its own installation would do.
 */
export async function missingFramework(
  name: string,
  prepare: () => Promise<unknown> = () => installFramework(name),
): Promise<string | null> {
  try {
    await prepare();
    return null;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return `${name} is not installed, and needs a registry: ${(error as Error).message}`;
  }
}

async function npmCi(folder: string): Promise<void> {
  // `npm run` names its own folder, and npm would install there.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, env });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(npm, 'close')) as [number | null];
  if (status !== 0) throw new Error(`npm ci ended with ${status}: ${output.trim().slice(-500)}`);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
