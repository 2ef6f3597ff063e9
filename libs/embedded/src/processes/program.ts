import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs a Debian package. Null, or why it did not work. Package lists may be missing or old: then they are fetched and it is tried again. */
export async function aptInstall(name: string, say: (line: string) => void): Promise<string | null> {
  const apt = process.getuid?.() === 0 ? await onPath(['apt-get']) : null;
  if (!apt) return 'only root can install it, with apt-get';
  say(`${name} is not installed: installing it with apt-get.`);
  // Another start may be installing at this moment: wait for its lock.
  // RUNLEVEL=1 keeps a package from starting a service of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const attempt = (...args: string[]): Promise<string | null> =>
    run(apt, ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], { env, timeout: 300_000 }).then(
      () => null,
      (error: unknown) => String(error).trim().split('\n').at(-1) ?? 'unknown',
    );
  const install = ['install', '-y', '--no-install-recommends', name];
  if ((await attempt(...install)) === null) return null;
  await attempt('update');
  return attempt(...install);
}

/** The first of these programs that PATH has. */
export async function onPath(programs: readonly string[]): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const program of programs) {
    for (const folder of folders) {
      const path = join(folder, process.platform === 'win32' ? `${program}.exe` : program);
      if (await isProgram(path)) return path;
    }
  }
  return null;
}

export function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
