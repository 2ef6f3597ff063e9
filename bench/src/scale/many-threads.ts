import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, rowsOf, type Api, type Stack } from '@spillway/testing';
import { median, round, type BenchResult, type Row } from '../bench.js';
import { each } from '../costs/each.js';
import { messagesOf } from '../costs/texts.js';
import { load, type Load } from '../load/load.js';

const projects = 10_000;
const threadsOfEach = 100;
const messagesOfEach = 10;
/** The other projects' threads have more messages, and short ones, so that fifty million of them take 30 GB and not 80. */
const messagesBeside = 50;
const charactersBeside = 200;
/** Projects that one statement fills. */
const batch = 50;
const seconds = 3;
const rounds = 3;
const folds = 20;

type Requests = Load['requests'];
/** Half of the project's threads are read and stay as they are, the others grow. */
const ids = (prefix: string): string[] =>
  Array.from({ length: threadsOfEach / 2 }, (_, n) => `${prefix}-${n}`);
const [read, grown] = [ids('read'), ids('grown')];
/** The one that the other projects' threads are copies of. */
const original = 'original';

/** What agents and people ask for, by name. */
const asked: Record<string, Requests> = {
  'POST of 1 KB': grown.map((id) => ({
    method: 'POST',
    path: `/v1/threads/${id}/messages`,
    body: JSON.stringify({ messages: messagesOf(id, 1) }),
  })),
  'GET context': read.map((id) => ({ method: 'GET', path: `/v1/threads/${id}/context` })),
  'list of threads': [{ method: 'GET', path: '/v1/threads?limit=50' }],
  'search in a thread': read.map((id) => ({ method: 'GET', path: `/v1/threads/${id}/search?q=parser` })),
};

/** The same requests of one project, first alone in the database, then beside a million threads of other projects. */
export async function manyThreads(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const api = apiOf(stack);
  const own = [...read, ...grown];
  await each(own.length, 8, (n) => api.append(own[n]!, ...messagesOf(own[n]!, messagesOfEach)));
  await api.append(original, ...messagesOf(original, messagesBeside, charactersBeside));
  const alone = await measure(stack, 'alone', complaints);
  const seeding = await seed(stack);
  const beside = await measure(stack, 'beside', complaints);
  const rows: Row[] = Object.keys(alone).map((what) => {
    const [few, many] = [median(alone[what]!), median(beside[what]!)];
    return {
      what: `${what}, p50`,
      value: `${round(many, 2)} ms`,
      against: `${round(few, 2)} ms, alone in the database`,
      target: `<= 1.2 x (${round(many / few, 2)} x)`,
      reached: many <= 1.2 * few,
    };
  });
  const { messages, gigabytes } = seeding;
  return {
    name: 'many-threads',
    about: `A project of ${threadsOfEach} threads, one request at a time for ${seconds} seconds, three times, and ${folds} folds; then the same beside ${projects.toLocaleString('en-US')} other projects with a million threads and ${(messages / 1e6).toFixed(0)} million messages of ${charactersBeside} characters, ${round(gigabytes)} GB in Postgres. Their rows are copies of the rows of one thread.`,
    complaints,
    rows,
  };
}

async function measure(stack: Stack, name: string, complaints: string[]): Promise<Record<string, number[]>> {
  const took: Record<string, number[]> = {};
  for (let i = 0; i <= rounds; i++)
    for (const [what, requests] of Object.entries(asked)) {
      const loaded = await load({ ...stack, inFlight: 1, seconds, requests });
      if (loaded.failures > 0) complaints.push(`${what}: ${loaded.failures} failed`);
      // The first round compiles, and reads pages from the disk.
      if (i > 0) (took[what] ??= []).push(median(loaded.latencies));
    }
  took['due thread to summary, seen every 5 ms'] = await foldTimes(apiOf(stack), name);
  return took;
}

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

async function foldTimes(api: Api, name: string): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < folds; i++) {
    const id = `fold-${name}-${i}`;
    await api.createThread({ id, policy });
    await api.append(id, ...messagesOf(id, 8));
    const started = performance.now();
    await api.append(id, ...messagesOf(`late-${id}`, 6));
    while ((await api.thread(id)).compaction.generation === 0) {
      if (performance.now() - started > 30_000) throw new Error(`${id} was not folded within 30 s.`);
      await sleep(5);
    }
    took.push(performance.now() - started);
  }
  return took;
}

/**
 * Copies a thread of the measured project with its messages into other projects. Triggers and foreign keys are off: they
 * write events and check what the copies cannot break.
 */
async function seed({ databaseUrl }: Stack): Promise<{ messages: number; gigabytes: number }> {
  const columns = await rowsOf<{ table: string; names: string }>(
    databaseUrl,
    `SELECT table_name AS table, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name IN ('threads', 'messages')
        AND is_generated = 'NEVER' GROUP BY 1`,
  );
  const of = (table: string): string[] => columns.find((one) => one.table === table)!.names.split(', ');
  const copied = (table: string, made: Record<string, string>): string =>
    `(${of(table).join(', ')}) SELECT ${of(table)
      .map((column) => made[column] ?? `source.${column}`)
      .join(', ')}`;
  for (let from = 0; from < projects; from += batch)
    await rowsOf(
      databaseUrl,
      `WITH off AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', false)),
        made AS (INSERT INTO projects (name) SELECT 'seeded-' || n FROM off, generate_series($1::int, $2::int) n RETURNING id),
        copies AS (INSERT INTO threads ${copied('threads', { project_id: 'made.id', uid: 'gen_random_uuid()', id: `'seeded-' || n` })}
          FROM threads source, made, generate_series(1, ${threadsOfEach}) n WHERE source.id = '${original}' RETURNING project_id, uid)
      INSERT INTO messages ${copied('messages', { project_id: 'copies.project_id', thread_uid: 'copies.uid' })}
        FROM copies, messages source JOIN threads t ON t.project_id = source.project_id AND t.uid = source.thread_uid
        WHERE t.id = '${original}'`,
      [from, from + batch - 1],
    );
  await rowsOf(databaseUrl, 'VACUUM ANALYZE');
  const [stored] = await rowsOf<{ threads: number; messages: number; bytes: string }>(
    databaseUrl,
    `SELECT (SELECT count(*)::int FROM threads) AS threads, (SELECT count(*)::int FROM messages) AS messages,
      pg_database_size(current_database())::text AS bytes`,
  );
  if (stored!.threads < projects * threadsOfEach) throw new Error(`${stored!.threads} threads were made.`);
  return { messages: stored!.messages, gigabytes: Number(stored!.bytes) / 1e9 };
}
