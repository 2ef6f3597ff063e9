import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { quantile } from '../bench.js';

/** How fast a plain statement is. */
export interface Speed {
  perSecond: number;
  /** Median milliseconds of one. */
  p50: number;
}

/** Runs work over and over, so many at a time, and times it. */
async function timed(inFlight: number, seconds: number, work: () => Promise<unknown>): Promise<Speed> {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1_000;
  const worker = async () => {
    while (performance.now() < until) {
      const from = performance.now();
      await work();
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const perSecond = latencies.length / ((performance.now() - started) / 1_000);
  return { perSecond, p50: quantile(latencies, 0.5) };
}

export interface PlainOptions {
  url: string;
  connections: number;
  inFlight: number;
  seconds: number;
}

/**
 * What this machine's Postgres does at most: a prepared INSERT of one message into a table with the columns and the
 * primary key of `messages`, without triggers, row-level security, or a thread that numbers it.
 */
export async function plainInserts(options: PlainOptions, body: string): Promise<Speed> {
  const { url, connections, inFlight, seconds } = options;
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query(
    'CREATE TABLE IF NOT EXISTS plain_messages (LIKE messages INCLUDING DEFAULTS, PRIMARY KEY (project_id, thread_uid, seq))',
  );
  const [project, thread] = [randomUUID(), randomUUID()];
  const hash = createHash('sha256').update(body).digest();
  let seq = 0;
  const text = `INSERT INTO plain_messages (project_id, thread_uid, seq, role, pinned, tokens, full_tokens, body, hash,
    format, images) VALUES ($1, $2, $3, 'user', false, 250, 250, $4, $5, 'openai', 0)`;
  const speed = await timed(inFlight, seconds, () =>
    pool.query({ name: 'plain-insert', text, values: [project, thread, ++seq, body, hash] }),
  );
  await pool.end();
  return speed;
}

/** What reading the newest messages of a thread takes at least: a prepared SELECT, without row-level security. */
export async function plainReads(
  options: PlainOptions,
  { projectId, threadUid, after }: { projectId: string; threadUid: string; after: number },
): Promise<Speed> {
  const { url, connections, inFlight, seconds } = options;
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const text =
    'SELECT seq, role, tokens, body FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq > $3 ORDER BY seq';
  const speed = await timed(inFlight, seconds, () =>
    pool.query({ name: 'plain-read', text, values: [projectId, threadUid, after] }),
  );
  await pool.end();
  return speed;
}
