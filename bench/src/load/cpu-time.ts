import { readdir, readFile } from 'node:fs/promises';
import { rowsOf } from '@spillway/testing';

/** Of one tick of /proc/<pid>/stat; Linux has 100 of them in a second everywhere. */
const tickMs = 10;

interface Times {
  parent: number;
  /** Milliseconds of CPU that the process took. */
  own: number;
  /** And those of its children that have ended. */
  reaped: number;
}

/** Milliseconds of CPU that a process took so far. */
export const cpuOf = async (pid: number): Promise<number> => (await timesOf(pid))!.own;

/** The first process of a Postgres server, which is the parent of all others of it. */
export async function postgresPid(databaseUrl: string): Promise<number> {
  const [writer] = await rowsOf<{ pid: number }>(
    databaseUrl,
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'`,
  );
  return (await timesOf(writer!.pid))!.parent;
}

/** Milliseconds of CPU that a process and its children took so far, such as a Postgres server and its backends. */
export async function cpuOfFamily(parent: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(timesOf));
  const children = all.filter((times) => times?.parent === parent);
  const { own, reaped } = (await timesOf(parent))!;
  return own + reaped + children.reduce((sum, times) => sum + times!.own, 0);
}

/** Null for a process that is gone. */
async function timesOf(pid: number): Promise<Times | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The command's name is in brackets and may hold anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent] = fields.slice(1) as [number];
  const [user, system, reapedUser, reapedSystem] = fields.slice(11) as [number, number, number, number];
  return { parent, own: (user + system) * tickMs, reaped: (reapedUser + reapedSystem) * tickMs };
}
