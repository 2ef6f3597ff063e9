import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process and its descendants, parents first. */
export async function processTree(root: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const tree = [root];
  for (const parent of tree) for (const [pid, of] of pairs) if (of === parent) tree.push(pid);
  return tree;
}

/**
 * SIGKILL to a process and its descendants; resolves when none of them is left. The first one is stopped before the
 * others are listed: it would start more meanwhile, which nobody would kill.
 */
export async function killTree(root: number): Promise<void> {
  signalAll([root], 'SIGSTOP');
  const tree = await processTree(root);
  signalAll(tree, 'SIGKILL');
  while ((await living(tree)).length > 0) await sleep(10);
}

/** Those of the processes that run; one that ended and that nobody has waited for does not. */
async function living(pids: readonly number[]): Promise<string[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,stat=']);
  const rows = stdout.trim().split('\n');
  return rows.filter((row) => {
    const [pid, state] = row.trim().split(/\s+/) as [string, string];
    return pids.includes(Number(pid)) && !state.startsWith('Z');
  });
}

/** Sends a signal to each; one that is gone already needs none. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
