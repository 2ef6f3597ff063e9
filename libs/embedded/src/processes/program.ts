import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs a Debian package. Returns null, or why it failed. Missing or old package lists are fetched before a retry.
 */
export async function aptInstall(name: string, say: (line: string) => void): Promise<string | null> {
  const apt = process.getuid?.() === 0 ? await onPath(['apt-get']) : null;
  if (!apt) return 'only root can install it, with apt-get';
  say(`${name} is not installed: installing it with apt-get.`);
  // Another start may be installing: wait for its lock. RUNLEVEL=1 keeps a package from starting a service.
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

/** The first of these programs on PATH. */
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
