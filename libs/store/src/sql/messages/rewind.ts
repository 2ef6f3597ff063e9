import type { Query } from '../../connection/store.js';
import { dueSince } from '../compaction/due-since.js';
import type { SeqRange } from './full-ranges.js';
import { headSeqOf, threadColumns, type ThreadRow } from '../../threads/thread-row.js';

export interface Rewind {
  projectId: string;
  threadId: string;
  /** The message that is the newest afterwards; 0 for none. */
  toSeq: number;
  /** The summary that is shown afterwards: the active one, when it covers nothing that is rewound; 0 for none. */
  generation: number;
  /** Live tokens of what remains. */
  liveTokens: number;
  /** The state those were computed from. */
  contentVersion: number;
  nextSeq: number;
  activeGeneration: number;
  policyVersion: number;
  /** The idempotency key of the request. */
  key: string | null;
  /** Messages that `markRewound` marked in the same transaction. */
  marked?: MarkedMessages;
}

export interface MarkedMessages {
  count: number;
  fullTokens: number;
  /** The last one that may be marked. */
  through: number;
}

const isDue = 't.request IS NOT NULL OR t.summary_enabled AND $5::int >= t.trigger_tokens';
/** The active summary covers messages that are rewound. */
const isCovered = 't.covered_through > $3::int';

/**
 * Takes the messages after a seq out of the context, in one statement. Guarantees: no message is changed but for the
 * mark, and no seq is used again; contexts that were served stay readable, because a mark names the first seq whose
 * contexts are without the message; summaries that cover a rewound message are marked alike, and an older one, copied
 * as the first of a new chain, or none, takes their place; a compaction in progress cannot commit, because the content
 * version moves, and its lease ends here; a prepared summary is void; instructions found in rewound messages are
 * deleted. The thread is due exactly when what remains passes its trigger or a request is pending. With a key a rewind to
 * the newest message is recorded too, as one of no messages. Undefined when the thread changed meanwhile; a key that was
 * used already is refused as a violated unique constraint.
 */
const text = `
WITH old AS (
  SELECT s.* FROM threads t JOIN summaries s ON s.project_id = t.project_id AND s.thread_uid = t.uid
  WHERE t.project_id = $1 AND t.id = $2 AND s.generation = $4::int AND s.to_seq <= $3::int AND s.withdrawn_at IS NULL
    AND s.rewound_before = 0
), gone AS (
  SELECT m.full_tokens FROM threads t JOIN messages m ON m.project_id = t.project_id AND m.thread_uid = t.uid
  WHERE t.project_id = $1 AND t.id = $2 AND m.seq > $13::int AND m.rewound_before = 0
), thread AS (
  UPDATE threads AS t SET rewound_to = $3::int, leading_through = least(t.leading_through, $3::int),
    content_version = t.content_version + 1, live_tokens = $5::int,
    total_tokens = t.total_tokens - (SELECT coalesce(sum(full_tokens), 0) FROM gone) - $12::bigint,
    chain = CASE WHEN ${isCovered} THEN t.last_chain + 1 ELSE t.chain END,
    last_chain = CASE WHEN ${isCovered} THEN t.last_chain + 1 ELSE t.last_chain END,
    generation = CASE WHEN NOT ${isCovered} THEN t.generation WHEN $4::int = 0 THEN 0 ELSE t.last_generation + 1 END,
    last_generation = CASE WHEN ${isCovered} AND $4::int > 0 THEN t.last_generation + 1 ELSE t.last_generation END,
    covered_through = CASE WHEN ${isCovered} THEN coalesce((SELECT to_seq FROM old), 0) ELSE t.covered_through END,
    needs_compaction = ${isDue}, requested_at = CASE WHEN ${isDue} THEN ${dueSince('t')} END,
    park_reason = NULL, parked_tokens = 0, prepare_at = NULL, next_attempt_at = NULL, lease_until = NULL, attempt = 0,
    lost_attempts = 0, last_error = NULL, updated_at = now()
  WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.content_version = $6 AND t.next_seq = $7
    AND t.generation = $8::int AND t.policy_version = $9
    AND (${headSeqOf('t')} > $3::int OR $10::text IS NOT NULL AND ${headSeqOf('t')} = $3::int)
    AND ($4::int = 0 OR EXISTS (SELECT FROM old))
  RETURNING t.*
), marked AS (
  UPDATE messages m SET rewound_before = thread.next_seq FROM thread
  WHERE m.project_id = $1 AND m.thread_uid = thread.uid AND m.seq > $13::int AND m.rewound_before = 0
), ended AS (
  UPDATE summaries s SET rewound_before = thread.next_seq FROM thread
  WHERE s.project_id = $1 AND s.thread_uid = thread.uid AND s.to_seq > $3::int AND s.rewound_before = 0
), made AS (
  INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
    carried, cleared_through, fields, text, tokens, tokens_before, tokens_after, method, model, restored_from,
    instructions, holds, fidelity, replaces, author, seen_seq)
  SELECT old.project_id, old.thread_uid, thread.generation, thread.chain, 1, old.to_seq, thread.next_seq - 1,
    thread.next_seq, old.carried, old.cleared_through, old.fields, old.text, old.tokens, old.tokens_before, $5::int,
    old.method, old.model, old.generation, old.instructions, old.holds, old.fidelity - 'recall',
    coalesce(old.replaces, old.generation - 1), old.author, old.seen_seq
  FROM old, thread WHERE thread.generation <> $8::int
), instructions_gone AS (
  DELETE FROM instructions i USING thread
  WHERE i.project_id = $1 AND i.thread_uid = thread.uid AND i.seq > $3::int AND i.source = 'found'
), recorded AS (
  INSERT INTO rewinds (project_id, thread_uid, version, to_seq, before_seq, messages, key)
  SELECT $1::uuid, uid, content_version, $3::int, next_seq, (SELECT count(*) FROM gone) + $11::int, $10::text FROM thread
)
SELECT ${threadColumns('thread')}, (SELECT count(*)::int FROM gone) + $11::int AS messages FROM thread`;

/** Returns the thread as it is now and the number of rewound messages. */
export async function rewind(
  query: Query,
  r: Rewind,
): Promise<(ThreadRow & { messages: number }) | undefined> {
  const rows = await query<ThreadRow & { messages: number }>({ name: 'rewind', text }, [
    r.projectId,
    r.threadId,
    r.toSeq,
    r.generation,
    r.liveTokens,
    r.contentVersion,
    r.nextSeq,
    r.activeGeneration,
    r.policyVersion,
    r.key,
    r.marked?.count ?? 0,
    r.marked?.fullTokens ?? 0,
    r.marked?.through ?? r.toSeq,
  ]);
  return rows[0];
}

/**
 * Marks some messages of a thread as rewound, and says how many. Part of the transaction of `rewind`, for more messages
 * than that could mark. The caller holds the lock of the thread, whose next seq is `nextSeq`.
 */
export async function markRewound(
  query: Query,
  m: SeqRange & { projectId: string; threadUid: string; nextSeq: number },
): Promise<{ count: number; fullTokens: number }> {
  const rows = await query<{ count: number; fullTokens: number }>(
    {
      name: 'mark-rewound',
      text: `WITH marked AS (
          UPDATE messages SET rewound_before = $5 WHERE project_id = $1 AND thread_uid = $2 AND seq > $3 AND seq <= $4
            AND rewound_before = 0 RETURNING full_tokens)
        SELECT count(*)::int AS count, coalesce(sum(full_tokens), 0)::float8 AS "fullTokens" FROM marked`,
    },
    [m.projectId, m.threadUid, m.after, m.through, m.nextSeq],
  );
  return rows[0]!;
}

export interface RewindRow {
  toSeq: number;
  /** How many messages it rewound. */
  messages: number;
  /** All messages that it rewound are before this seq. */
  beforeSeq: number;
}

/** The rewind that was made with this idempotency key. */
export async function rewindOfKey(query: Query, projectId: string, threadUid: string, key: string) {
  const rows = await query<RewindRow>(
    {
      name: 'rewind-of-key',
      text: `SELECT to_seq AS "toSeq", before_seq AS "beforeSeq", messages FROM rewinds WHERE project_id = $1 AND thread_uid = $2 AND key = $3`,
    },
    [projectId, threadUid, key],
  );
  return rows[0];
}

/** The newest generation that covers no message after `seq` and that a context may show; undefined for none. */
export async function summaryThrough(query: Query, projectId: string, threadUid: string, seq: number) {
  const rows = await query<{ generation: number }>(
    {
      name: 'summary-through',
      text: `SELECT generation FROM summaries WHERE project_id = $1 AND thread_uid = $2 AND to_seq <= $3
          AND withdrawn_at IS NULL AND undone_at IS NULL AND rewound_before = 0
        ORDER BY generation DESC LIMIT 1`,
    },
    [projectId, threadUid, seq],
  );
  return rows[0]?.generation;
}

/** Which of these messages were rewound. */
export async function rewoundAmong(
  query: Query,
  projectId: string,
  threadUid: string,
  seqs: readonly number[],
): Promise<Set<number>> {
  const rows = await query<{ seq: number }>(
    {
      name: 'rewound-among',
      text: `SELECT seq FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq = ANY($3) AND rewound_before > 0`,
    },
    [projectId, threadUid, seqs],
  );
  return new Set(rows.map(({ seq }) => seq));
}

/** The newest message before this one in the context of a thread; 0 for none. */
export async function seqBefore(query: Query, projectId: string, threadUid: string, seq: number) {
  const rows = await query<{ seq: number }>(
    {
      name: 'seq-before',
      text: `SELECT seq FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq < $3 AND rewound_before = 0
        ORDER BY seq DESC LIMIT 1`,
    },
    [projectId, threadUid, seq],
  );
  return rows[0]?.seq ?? 0;
}
