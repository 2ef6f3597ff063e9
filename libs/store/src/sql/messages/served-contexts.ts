import type { Query } from '../../connection/store.js';
import { oneByOne, unnested, valuesOf, type Columns } from './unnested.js';
import { rowVersionOf } from '../../threads/thread-row.js';

/** A context as it was served. */
export interface Served {
  /** The newest message it includes. */
  seq: number;
  /** The summary it shows; 0 for none. */
  generation: number;
  fingerprint: string;
  /** By our count, with system prompt and tool schemas. */
  tokens: number;
  /** Its frame, as JSON. */
  frame: string;
}

export interface RecordServed extends Served {
  projectId: string;
  threadUid: string;
  /** The system prompt beside the messages, and its SHA-256; null when there was none. */
  prompt: { text: string; hash: string } | null;
  /** Records it only while the thread has this version; null: whatever version it has. */
  ifRowVersion: string | null;
}

const hasVersion = (t: string, version: string): string =>
  `(${version} IS NULL OR ${rowVersionOf(t)} = ${version})`;

/** The last context at a seq is the one that counts. */
const onSameSeq = `ON CONFLICT (project_id, thread_uid, seq) DO UPDATE SET generation = excluded.generation,
  fingerprint = excluded.fingerprint, tokens = excluded.tokens, prompt_hash = excluded.prompt_hash,
  frame = excluded.frame, served_at = now()`;

/**
 * Records what was served at a seq, in place of an earlier record there. Guarantees: nothing remains of it in an erased
 * thread, because it takes a lock that an erasure waits for, and writes nothing afterwards; a prompt is stored once per
 * thread. Appends and compactions do not wait for it. A prompt that seems unused now is only named: contexts that are
 * being recorded at the same time are not seen here, see `deleteUnusedPrompt`.
 */
const recordText = `
WITH thread AS (
  SELECT uid FROM threads t WHERE project_id = $1 AND uid = $2 AND deleted_at IS NULL
    AND ${hasVersion('t', '$10::text')} FOR KEY SHARE
), replaced AS (
  SELECT prompt_hash FROM served_contexts
  WHERE project_id = $1 AND thread_uid = $2 AND seq = $3 AND prompt_hash IS DISTINCT FROM $7::text
), prompt AS (
  INSERT INTO served_prompts (project_id, thread_uid, hash, text)
  SELECT $1::uuid, uid, $7::text, $8::text FROM thread WHERE $7::text IS NOT NULL ON CONFLICT DO NOTHING
)
INSERT INTO served_contexts AS c (project_id, thread_uid, seq, generation, fingerprint, tokens, prompt_hash, frame)
SELECT $1::uuid, uid, $3::int, $4::int, $5::text, $6::int, $7::text, $9::text FROM thread
${onSameSeq}
RETURNING (SELECT prompt_hash FROM replaced r WHERE NOT EXISTS (SELECT FROM served_contexts o
  WHERE o.project_id = $1 AND o.thread_uid = $2 AND o.prompt_hash = r.prompt_hash AND o.seq <> $3)) AS "unusedPrompt"`;

export interface Recorded {
  /** False when the thread was erased or has another version by now. */
  isRecorded: boolean;
  /** The hash of a prompt that no context shows any more, unless one is recorded right now. */
  unusedPrompt: string | null;
}

export async function recordServed(query: Query, s: RecordServed): Promise<Recorded> {
  const [row] = await query<Pick<Recorded, 'unusedPrompt'>>({ name: 'record-served', text: recordText }, [
    s.projectId,
    s.threadUid,
    s.seq,
    s.generation,
    s.fingerprint,
    s.tokens,
    s.prompt?.hash ?? null,
    s.prompt?.text ?? null,
    s.frame,
    s.ifRowVersion,
  ]);
  return { isRecorded: row !== undefined, unusedPrompt: row?.unusedPrompt ?? null };
}

export interface PromptOfThread {
  projectId: string;
  threadUid: string;
  hash: string;
}

/**
 * Deletes a prompt that no context shows. Within a transaction: the lock waits for the contexts that are being recorded,
 * and keeps out others, and only the statement after it sees them.
 */
export async function deleteUnusedPrompt(query: Query, of: PromptOfThread): Promise<void> {
  const values = [of.projectId, of.threadUid];
  await query(
    {
      name: 'lock-records-of-thread',
      text: 'SELECT FROM threads WHERE project_id = $1 AND uid = $2 FOR UPDATE',
    },
    values,
  );
  await query(
    {
      name: 'delete-unused-prompt',
      text: `DELETE FROM served_prompts p WHERE p.project_id = $1 AND p.thread_uid = $2 AND p.hash = $3
        AND NOT EXISTS (SELECT FROM served_contexts c
          WHERE c.project_id = $1 AND c.thread_uid = $2 AND c.prompt_hash = $3)`,
    },
    [...values, of.hash],
  );
}

const recordColumns: Columns<RecordServed> = {
  thread_uid: ['uuid', (s) => s.threadUid],
  seq: ['int', (s) => s.seq],
  generation: ['int', (s) => s.generation],
  fingerprint: ['text', (s) => s.fingerprint],
  tokens: ['int', (s) => s.tokens],
  prompt_hash: ['text', (s) => s.prompt?.hash ?? null],
  prompt: ['text', (s) => s.prompt?.text ?? null],
  frame: ['text', (s) => s.frame],
  if_row_version: ['text', (s) => s.ifRowVersion],
};

/** Rows are written in one order by all, so that two groups cannot wait for each other. */
const recordAllText = `
WITH asked AS MATERIALIZED (
  SELECT $1::uuid AS project_id, a.* FROM ${unnested(recordColumns, 2)} AS a(${Object.keys(recordColumns).join(', ')})
), thread AS (
  SELECT t.uid, a.* FROM asked a CROSS JOIN LATERAL (
    SELECT uid FROM threads t WHERE project_id = a.project_id AND uid = a.thread_uid AND deleted_at IS NULL
      AND ${hasVersion('t', 'a.if_row_version')} ${oneByOne} FOR KEY SHARE SKIP LOCKED) t
), simple AS (
  SELECT * FROM thread t WHERE NOT EXISTS (SELECT FROM served_contexts c
    WHERE c.project_id = t.project_id AND c.thread_uid = t.uid AND c.seq = t.seq
      AND c.prompt_hash IS NOT NULL AND c.prompt_hash IS DISTINCT FROM t.prompt_hash)
), prompt AS (
  INSERT INTO served_prompts (project_id, thread_uid, hash, text)
  SELECT DISTINCT ON (uid, prompt_hash) project_id, uid, prompt_hash, prompt FROM simple
  WHERE prompt_hash IS NOT NULL ORDER BY uid, prompt_hash ON CONFLICT DO NOTHING
)
INSERT INTO served_contexts AS c (project_id, thread_uid, seq, generation, fingerprint, tokens, prompt_hash, frame)
SELECT project_id, uid, seq, generation, fingerprint, tokens, prompt_hash, frame FROM simple ORDER BY uid, seq
${onSameSeq}
RETURNING thread_uid AS "threadUid", seq`;

/**
 * Records what was served of several threads of one project, with the guarantees of `recordServed` for each; of two
 * at one seq of a thread the later. It waits for no erasure: a thread that is locked, gone or changed is passed over, as
 * is a record whose prompt may have to be deleted. Answers which were recorded, in order: not one for
 * another version than the later has.
 */
export async function recordAllServed(query: Query, all: readonly RecordServed[]): Promise<boolean[]> {
  const last = new Map(all.map((one) => [placeOf(one), one]));
  const rows = await query<Pick<RecordServed, 'threadUid' | 'seq'>>(
    { name: 'record-all-served', text: recordAllText },
    [all[0]!.projectId, ...valuesOf(recordColumns, [...last.values()])],
  );
  const recorded = new Set(rows.map(placeOf));
  const wasMeant = (one: RecordServed): boolean => last.get(placeOf(one))!.ifRowVersion === one.ifRowVersion;
  return all.map((one) => recorded.has(placeOf(one)) && wasMeant(one));
}

/** Names what one record is about. */
export const placeOf = ({ threadUid, seq }: Pick<RecordServed, 'threadUid' | 'seq'>): string =>
  `${threadUid} ${seq}`;

/** After this long an unchanged context is recorded again, so that `served.at` is true to the minute. */
const currentMs = 60_000;

/** A context that a process served and kept. */
export interface KeptContext extends Served {
  projectId: string;
  /** The client's id of the thread. */
  threadId: string;
  /** Of the thread that the context was built from. */
  rowVersion: string;
  promptHash: string | null;
}

const keptColumns: Columns<KeptContext> = {
  thread_id: ['text', (s) => s.threadId],
  row_version: ['text', (s) => s.rowVersion],
  seq: ['int', (s) => s.seq],
  generation: ['int', (s) => s.generation],
  fingerprint: ['text', (s) => s.fingerprint],
  tokens: ['int', (s) => s.tokens],
  prompt_hash: ['text', (s) => s.promptHash],
  frame: ['text', (s) => s.frame],
};
const keptNames = Object.keys(keptColumns).join(', ');

const stillServedAmong = (asked: string): string => `
  SELECT a.n::int AS n FROM ${asked} AS a(${keptNames}, n) CROSS JOIN LATERAL (
    SELECT uid FROM threads t WHERE t.project_id = $1::uuid AND t.id = a.thread_id AND t.deleted_at IS NULL
      AND ${rowVersionOf('t')} = a.row_version ${oneByOne}
  ) t CROSS JOIN LATERAL (
    SELECT FROM served_contexts c WHERE c.project_id = $1::uuid AND c.thread_uid = t.uid AND c.seq = a.seq
      AND c.generation = a.generation AND c.fingerprint = a.fingerprint AND c.tokens = a.tokens
      AND c.prompt_hash IS NOT DISTINCT FROM a.prompt_hash AND c.frame = a.frame
      AND c.served_at > now() - interval '${currentMs} ms' ${oneByOne}
  ) c`;

const oneKept = Object.values(keptColumns).map(([type], i) => `$${i + 2}::${type}`);
const isStillServedText = stillServedAmong(`(SELECT ${oneKept.join(', ')}, 1)`);
const areStillServedText = stillServedAmong(`(SELECT * FROM ${unnested(keptColumns, 2)} WITH ORDINALITY)`);

/**
 * Whether a context that was served before is still the one to serve: nothing about the thread or its project's
 * settings changed since, and the record of the last context at its seq is this one, at most a minute old. One indexed
 * read of a single row.
 */
export async function isStillServed(query: Query, kept: KeptContext): Promise<boolean> {
  const values = Object.values(keptColumns).map(([, of]) => of(kept));
  const rows = await query({ name: 'is-still-served', text: isStillServedText }, [kept.projectId, ...values]);
  return rows.length === 1;
}

/** The same of several contexts of one project, in order. */
export async function areStillServed(query: Query, all: readonly KeptContext[]): Promise<boolean[]> {
  const rows = await query<{ n: number }>({ name: 'are-still-served', text: areStillServedText }, [
    all[0]!.projectId,
    ...valuesOf(keptColumns, all),
  ]);
  const current = new Set(rows.map(({ n }) => n));
  return all.map((_, i) => current.has(i + 1));
}

export interface ServedRow extends Served {
  promptHash: string | null;
  /** Null when there was none. */
  prompt: string | null;
  servedAt: Date;
}

/** The last context served while `seq` was the newest message. */
export async function servedAt(
  query: Query,
  projectId: string,
  threadUid: string,
  seq: number,
): Promise<ServedRow | undefined> {
  const rows = await query<ServedRow>(
    {
      name: 'served-at',
      text: `SELECT c.seq, c.generation, c.fingerprint, c.tokens, c.frame, c.prompt_hash AS "promptHash",
          p.text AS prompt, c.served_at AS "servedAt"
        FROM served_contexts c LEFT JOIN served_prompts p
          ON p.project_id = c.project_id AND p.thread_uid = c.thread_uid AND p.hash = c.prompt_hash
        WHERE c.project_id = $1 AND c.thread_uid = $2 AND c.seq = $3`,
    },
    [projectId, threadUid, seq],
  );
  return rows[0];
}

/** Usage is posted, and the next context read, right after a call: older contexts are never searched. */
const recentlyServed = 64;

/**
 * The newest contexts served for messages up to this one, newest first; none for a message that was rewound before the
 * next one.
 */
export const servedThrough = (query: Query, projectId: string, threadUid: string, seq: number) =>
  query<Served>(
    {
      name: 'served-through',
      text: `SELECT seq, generation, fingerprint, tokens, frame FROM served_contexts c
        WHERE project_id = $1 AND thread_uid = $2 AND seq <= $3 AND NOT EXISTS (SELECT FROM messages m
          WHERE m.project_id = $1 AND m.thread_uid = $2 AND m.seq = c.seq AND m.rewound_before BETWEEN 1 AND $3 + 1)
        ORDER BY seq DESC LIMIT ${recentlyServed}`,
    },
    [projectId, threadUid, seq],
  );

export type FoundServed = Omit<ServedRow, 'prompt' | 'servedAt'>;

/** The newest recent context with this fingerprint. */
export async function servedWithFingerprint(
  query: Query,
  projectId: string,
  threadUid: string,
  fingerprint: string,
): Promise<FoundServed | undefined> {
  const rows = await query<FoundServed>(
    {
      name: 'served-with-fingerprint',
      text: `SELECT * FROM (SELECT seq, generation, fingerprint, tokens, frame, prompt_hash AS "promptHash" FROM served_contexts
          WHERE project_id = $1 AND thread_uid = $2 ORDER BY seq DESC LIMIT ${recentlyServed}) recent
        WHERE fingerprint = $3 ORDER BY seq DESC LIMIT 1`,
    },
    [projectId, threadUid, fingerprint],
  );
  return rows[0];
}
