import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf, type OwnPostgres } from '@spillway/testing';
import pg from 'pg';

/** Every new session can log plans from now on; `explainAll` starts it. */
export async function preloadPlans({ url }: OwnPostgres): Promise<void> {
  await rowsOf(url, `ALTER SYSTEM SET session_preload_libraries = 'auto_explain'`);
  await rowsOf(url, 'SELECT pg_reload_conf()');
}

/** Each session logs each statement with its name, and the plan by which it ran. */
export async function explainAll({ url }: OwnPostgres): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // Its settings are known to a session that has loaded it.
    await client.query(`LOAD 'auto_explain'`);
    for (const [name, value] of [
      ['auto_explain.log_analyze', 'on'],
      ['auto_explain.log_buffers', 'on'],
      ['auto_explain.log_parameter_max_length', '0'],
      ['auto_explain.log_min_duration', '0'],
      ['log_statement', 'all'],
    ])
      await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
}

export interface LoggedPlan {
  ms: number;
  /** Pages that were found in memory or read, of 8 KB. */
  pages: number;
  text: string;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The newest plan of each statement, by the name under which it was prepared. */
export async function loggedPlans({ folder }: OwnPostgres): Promise<Map<string, LoggedPlan>> {
  const log = await readFile(join(folder, 'postgres.log'), 'utf8');
  const names = new Map<string, string>();
  for (const [, name, text] of log.matchAll(/LOG:  execute ([\w-]+): (.*(?:\n\t.*)*)/g))
    names.set(text!, name!);
  const found = new Map<string, LoggedPlan>();
  for (const [, ms, entry] of log.matchAll(
    /LOG:  duration: ([\d.]+) ms  plan:\n\tQuery Text: (.*(?:\n\t.*)*)/g,
  )) {
    // A text may be the start of another one.
    const text = [...names.keys()]
      .filter((each) => entry!.startsWith(`${each}\n\t`))
      .sort((a, b) => b.length - a.length)[0];
    if (text === undefined) continue;
    const plan = entry!
      .slice(text.length + 1)
      .replace(/^\t/gm, '')
      .replace(/cost=\S+ rows=\d+ width=\d+\) \(/g, '')
      .replace(uuid, '...');
    const buffers = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan);
    found.set(names.get(text)!, {
      ms: Number(ms),
      pages: Number(buffers?.[1] ?? 0) + Number(buffers?.[2] ?? 0),
      text: plan,
    });
  }
  return found;
}
