import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../processes/start-error.js';

const run = promisify(execFile);
const patienceMs = 15_000;

/**
 * Prepares `data` for a new server. A postmaster.pid left by a crash is removed when its process is not a Postgres any
 * more (Postgres itself cannot tell, and would refuse). A server that still runs although its starter is gone is ending
 * already: this waits for it.
 */
export async function clearPostmaster(data: string, signal?: AbortSignal): Promise<void> {
  const file = join(data, 'postmaster.pid');
  const until = Date.now() + patienceMs;
  for (;;) {
    const [first] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    const pid = Number(first);
    if (!first || !Number.isInteger(pid) || pid <= 0) return;
    if (!(await runsPostgres(pid))) return rm(file, { force: true });
    if (Date.now() > until) {
      throw new StartError(
        `Postgres process ${pid} still runs on ${data}: stop it (kill -INT ${pid}) and start again.`,
      );
    }
    await sleep(100, undefined, { signal });
  }
}

async function runsPostgres(pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    return name.trim() === 'postgres';
  }
  // Windows: Postgres' own check of postmaster.pid decides.
  if (process.platform === 'win32') return false;
  const { stdout } = await run('ps', ['-o', 'comm=', '-p', `${pid}`]).catch(() => ({ stdout: '' }));
  return /postgres/.test(stdout);
}
