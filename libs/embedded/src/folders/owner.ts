import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode, StartError } from '../processes/start-error.js';

const run = promisify(execFile);

/**
 * Claims a folder for this process, or throws a StartError that names the process that has it. A claim of a dead
 * process, or of a reused process id, is ignored.
 */
export async function claim(file: string, inUse: (pid: number) => string): Promise<() => Promise<void>> {
  const mine = `${process.pid} ${(await startedAt(process.pid)) ?? ''}\n`;
  for (let tries = 0; ; tries += 1) {
    try {
      await writeFile(file, mine, { flag: 'wx', mode: 0o600 });
      return () => rm(file, { force: true });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || tries > 2) throw error;
    }
    const pid = await liveOwner(file);
    if (pid !== null) throw new StartError(inUse(pid));
    await rm(file, { force: true });
  }
}

/** The process that holds the claim in `file`, or null. */
export async function liveOwner(file: string): Promise<number | null> {
  const [pid, ...start] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return null;
  const now = await startedAt(number);
  return now !== null && now === start.join(' ') ? number : null;
}

/**
 * When a process started, in a form that is only good for comparison; null when it does not run. Detects reused process
 * ids.
 */
async function startedAt(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // The name in parentheses may contain spaces; field 22 of the line is the 20th after it.
    return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  }
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : null;
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', `${pid}`]).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
