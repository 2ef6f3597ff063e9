import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf, rowsOf, type Api, type Stack } from '@spillway/testing';
import { median, round, startBenchStack, type BenchResult, type Row } from '../bench.js';
import { each } from '../load/each.js';
import { messagesOf } from '../load/texts.js';
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

/** The same requests of one project alone in its database, and in another beside a million threads of other projects. */
export async function manyThreads(beside: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const alone = await startBenchStack();
  try {
    for (const stack of [alone, beside]) await fill(apiOf(stack));
    const { messages, gigabytes } = await seed(beside);
    const took = await measureInTurns({ alone, beside }, complaints);
    return {
      name: 'many-threads',
      about: `A project of ${threadsOfEach} threads, one request at a time for ${seconds} seconds, three times, and ${folds} folds, in a database of its own; in turns with the same beside ${projects.toLocaleString('en-US')} other projects with a million threads and ${(messages / 1e6).toFixed(0)} million messages of ${charactersBeside} characters, ${round(gigabytes)} GB in Postgres. Their rows are copies of the rows of one thread.`,
      complaints,
      rows: [...took].map(([what, { alone, beside }]) => besideAlone(what, median(beside), median(alone))),
    };
  } finally {
    await alone.stop();
  }
}

const besideAlone = (what: string, many: number, few: number): Row => ({
  what: `${what}, p50`,
  value: `${round(many, 2)} ms`,
  against: `${round(few, 2)} ms, alone in the database`,
  target: `<= 1.2 x (${round(many / few, 2)} x)`,
  reached: many <= 1.2 * few,
});

async function fill(api: Api): Promise<void> {
  const own = [...read, ...grown];
  await each(own.length, 8, (n) => api.append(own[n]!, ...messagesOf(own[n]!, messagesOfEach)));
  await api.append(original, ...messagesOf(original, messagesBeside, charactersBeside));
}

type Stacks = Record<'alone' | 'beside', Stack>;
/** Milliseconds of each measurement on either stack. */
type Took = Map<string, Record<keyof Stacks, number[]>>;

/** Both stacks in turns, so that what else the machine does meanwhile slows both. */
async function measureInTurns(stacks: Stacks, complaints: string[]): Promise<Took> {
  const took: Took = new Map();
  const inTurns = async (what: string, measure: (stack: Stack) => Promise<number>, counts = true) => {
    for (const where of ['alone', 'beside'] as const) {
      const ms = await measure(stacks[where]);
      if (!counts) continue;
      if (!took.has(what)) took.set(what, { alone: [], beside: [] });
      took.get(what)![where].push(ms);
    }
  };
  const loadedWith = (what: string, requests: Requests) => async (stack: Stack) => {
    const loaded = await load({ ...stack, inFlight: 1, seconds, requests });
    if (loaded.failures > 0) complaints.push(`${what}: ${loaded.failures} failed`);
    return median(loaded.latencies);
  };
  // The first round compiles, and reads pages from the disk.
  for (let round = 0; round <= rounds; round++)
    for (const [what, requests] of Object.entries(asked))
      await inTurns(what, loadedWith(what, requests), round > 0);
  for (let i = 0; i < folds; i++)
    await inTurns('due thread to summary, seen every 5 ms', (stack) => foldTime(apiOf(stack), `fold-${i}`));
  return took;
}

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

async function foldTime(api: Api, id: string): Promise<number> {
  await api.createThread({ id, policy });
  await api.append(id, ...messagesOf(id, 8));
  const started = performance.now();
  await api.append(id, ...messagesOf(`late-${id}`, 6));
  while ((await api.thread(id)).compaction.generation === 0) {
    if (performance.now() - started > 30_000) throw new Error(`${id} was not folded within 30 s.`);
    await sleep(5);
  }
  return performance.now() - started;
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
