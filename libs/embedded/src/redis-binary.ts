import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './start-error.js';

const run = promisify(execFile);
const names = ['redis-server', 'valkey-server'];

export type RedisBinary = { path: string } | { path: null; reason: string };

/**
 * A Redis server program: REDIS_SERVER_BIN, else one on PATH, else (as root, where there is apt-get) installed now.
 * Where there is none, the reason says how to get one.
 */
export async function redisBinary(say: (line: string) => void, install: boolean): Promise<RedisBinary> {
  const named = process.env['REDIS_SERVER_BIN'];
  if (named) {
    if (await isProgram(named)) return { path: named };
    throw new StartError(`REDIS_SERVER_BIN is ${named}, which is not a program: correct it or unset it.`);
  }
  const found = await onPath(names);
  if (found) return { path: found };
  const how = 'install redis-server (or valkey-server), or set REDIS_URL';
  const apt = process.getuid?.() === 0 && install ? await onPath(['apt-get']) : null;
  if (!apt) return { path: null, reason: `No redis-server found: ${how}.` };
  say('redis-server is not installed: installing it with apt-get.');
  const failure = await aptInstall(apt);
  const installed = await onPath(names);
  if (installed) return { path: installed };
  return { path: null, reason: `apt-get could not install redis-server (${failure}): ${how}.` };
}

/** Null, or why it did not work. Package lists may be missing or old: then they are fetched and it is tried again. */
async function aptInstall(apt: string): Promise<string | null> {
  // RUNLEVEL=1 keeps the package from starting a service of its own on port 6379.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const attempt = (...args: string[]): Promise<string | null> =>
    run(apt, ['-qq', ...args], { env, timeout: 180_000 }).then(
      () => null,
      (error: unknown) => String(error).trim().split('\n').at(-1) ?? 'unknown',
    );
  const install = ['install', '-y', '--no-install-recommends', 'redis-server'];
  if ((await attempt(...install)) === null) return null;
  await attempt('update');
  return attempt(...install);
}

async function onPath(programs: readonly string[]): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const program of programs) {
    for (const folder of folders) {
      const path = join(folder, process.platform === 'win32' ? `${program}.exe` : program);
      if (await isProgram(path)) return path;
    }
  }
  return null;
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
