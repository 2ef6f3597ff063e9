import type { Query } from '../../connection/store.js';
import { mediaOf } from '../messages/media-of.js';
import { headSeqOf, threadColumns, type ThreadRow } from '../../threads/thread-row.js';

export interface Fork {
  projectId: string;
  /** The thread that is forked. */
  threadId: string;
  threadUid: string;
  /** Of the new thread. */
  newId: string;
  newUid: string;
  /** The newest message that the fork has; 0 for none. */
  atSeq: number;
  /** The parent's summary that the fork shows; 0 for none. */
  generation: number;
  /** The caller's own summary that this one was made from; 0 for none. */
  madeFrom: number;
  /** Live tokens of the fork. */
  liveTokens: number;
  /** The state of the parent that those were computed from. */
  contentVersion: number;
  policyVersion: number;
}

/** As many as are ever searched: see served-contexts.ts. */
const servedContexts = 64;

const messageColumns = `seq, client_id, role, pinned, tokens, full_tokens, calls, answers, format, images, body, media, hash,
  output_id, created_at, sent_at, hold, hold_tokens, erased_at`;
const settingColumns = `model, system, tools, format, calibration, measured_ratio, request_tokens, metadata, policy,
  context_window, limit_tokens, trigger_tokens, summary_enabled, weighed_version`;

/** The parent has this message, and so has the fork. */
const isCopied = (
  seq: string,
): string => `EXISTS (SELECT FROM messages m WHERE m.project_id = $1 AND m.thread_uid = $3
    AND m.seq = ${seq} AND m.rewound_before = 0)`;
const isDue = 'p.summary_enabled AND $8::int >= p.trigger_tokens';

/**
 * Makes a thread with the messages of another up to a seq, in one statement: nothing passes through the process.
 * Guarantees: all or nothing; the copy is of one moment, and neither appends to the parent nor its compactions wait for
 * it; an erasure of the parent, or of one of its messages, comes before the copy or after it, because both lock the
 * row; rewound messages are not copied, so seqs have gaps where the parent rewound; the summary is the fork's first
 * generation, or the second after the caller's own that it was made from; outputs and media are shared, each with a row that says so; a standing instruction follows when its
 * message does or a person added it. Undefined when the id is taken, or when the parent changed since the live tokens
 * were computed.
 */
const text = `
WITH parent AS MATERIALIZED (
  SELECT t.* FROM threads t WHERE t.project_id = $1 AND t.id = $2 AND t.uid = $3 AND t.deleted_at IS NULL
    AND t.content_version = $9 AND t.policy_version = $10 AND ${headSeqOf('t')} >= $6::int FOR KEY SHARE
), shown AS (
  SELECT s.* FROM summaries s, parent
  WHERE s.project_id = $1 AND s.thread_uid = $3 AND s.generation = $7::int AND s.to_seq <= $6::int
    AND s.withdrawn_at IS NULL AND s.rewound_before = 0
), made_from AS (
  SELECT s.* FROM summaries s, shown
  WHERE s.project_id = $1 AND s.thread_uid = $3 AND s.generation = $11::int AND s.to_seq < shown.to_seq
    AND s.withdrawn_at IS NULL AND s.rewound_before = 0
), shared AS (
  SELECT o.id, o.seq FROM outputs o
  WHERE o.project_id = $1 AND o.thread_uid = $3 AND o.seq <= $6::int AND o.state <> 'staging' AND o.sha256 <> ''
    AND ${isCopied('o.seq')}
  UNION ALL
  SELECT u.output_id, u.seq FROM output_uses u
  WHERE u.project_id = $1 AND u.thread_uid = $3 AND u.seq <= $6::int AND ${isCopied('u.seq')}
), thread AS (
  INSERT INTO threads AS t (project_id, id, uid, ${settingColumns}, forked_from, fork_seq, next_seq, leading_through,
    live_tokens, total_tokens, output_count, generation, last_generation, covered_through, needs_compaction, requested_at)
  SELECT p.project_id, $4::text, $5::uuid, ${settingColumns
    .split(/,\s*/)
    .map((column) => `p.${column}`)
    .join(', ')}, p.id, $6::int, $6::int + 1,
    least(p.leading_through, $6::int), $8::int,
    (SELECT coalesce(sum(m.full_tokens), 0) FROM messages m
      WHERE m.project_id = $1 AND m.thread_uid = $3 AND m.seq <= $6::int AND m.rewound_before = 0),
    (SELECT count(*) FROM shared), least($7::int, 1) + least($11::int, 1), least($7::int, 1) + least($11::int, 1),
    coalesce((SELECT to_seq FROM shown), 0), ${isDue}, CASE WHEN ${isDue} THEN now() END
  FROM parent p WHERE ($7::int = 0 OR EXISTS (SELECT FROM shown)) AND ($11::int = 0 OR EXISTS (SELECT FROM made_from))
  ON CONFLICT (project_id, id) DO NOTHING
  RETURNING t.*
), messages_copied AS (
  INSERT INTO messages (project_id, thread_uid, ${messageColumns})
  SELECT m.project_id, thread.uid, ${messageColumns
    .split(/,\s*/)
    .map((column) => `m.${column}`)
    .join(', ')}
  FROM thread, messages m
  WHERE m.project_id = $1 AND m.thread_uid = $3 AND m.seq <= $6::int AND m.rewound_before = 0
), summary_copied AS (
  INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
    carried, cleared_through, fields, text, tokens, tokens_before, tokens_after, method, model, author, instructions,
    holds, fidelity, replaces, created_at, seen_seq)
  SELECT s.project_id, thread.uid, copied.generation, thread.chain, copied.from_seq, s.to_seq,
    least(s.as_of_seq, $6::int), least(s.visible_from_seq, $6::int), s.carried, s.cleared_through, s.fields, s.text,
    s.tokens, s.tokens_before, s.tokens_after, s.method, s.model, s.author, s.instructions, s.holds,
    s.fidelity - 'recall', copied.generation - 1, s.created_at, least(s.seen_seq, $6::int)
  FROM thread, (SELECT * FROM shown UNION ALL SELECT * FROM made_from) s, LATERAL (
    SELECT CASE s.generation WHEN $7::int THEN thread.generation ELSE 1 END AS generation,
      CASE s.generation WHEN $7::int THEN coalesce((SELECT to_seq FROM made_from), 0) + 1 ELSE 1 END AS from_seq
  ) copied
), instructions_copied AS (
  INSERT INTO instructions (project_id, thread_uid, id, seq, participant, text, kind, source, decision, decided_seq,
    decided_at, created_at)
  SELECT i.project_id, thread.uid, i.id, least(i.seq, $6::int), i.participant, i.text, i.kind, i.source, i.decision,
    -- least() passes over a null: an instruction that nobody decided on stays so.
    CASE WHEN i.decided_seq IS NOT NULL THEN least(i.decided_seq, $6::int) END, i.decided_at, i.created_at
  FROM thread, instructions i
  WHERE i.project_id = $1 AND i.thread_uid = $3 AND (i.source = 'added' OR i.seq <= $6::int)
), outputs_shared AS (
  INSERT INTO output_uses (project_id, output_id, thread_uid, seq)
  SELECT thread.project_id, shared.id, thread.uid, shared.seq FROM thread, shared
), media_shared AS (
  INSERT INTO media_uses (project_id, thread_uid, sha256)
  SELECT DISTINCT thread.project_id, thread.uid, ${mediaOf('m')} FROM thread, messages m
  WHERE m.project_id = $1 AND m.thread_uid = $3 AND m.seq <= $6::int AND m.rewound_before = 0
), served AS (
  SELECT c.* FROM served_contexts c
  WHERE c.project_id = $1 AND c.thread_uid = $3 AND c.seq <= $6::int AND c.generation IN (0, $7::int, $11::int)
    AND ${isCopied('c.seq')}
  ORDER BY c.seq DESC LIMIT ${servedContexts}
), served_copied AS (
  INSERT INTO served_contexts (project_id, thread_uid, seq, generation, fingerprint, tokens, prompt_hash, frame, served_at)
  SELECT c.project_id, thread.uid, c.seq,
    CASE c.generation WHEN 0 THEN 0 WHEN $7::int THEN thread.generation ELSE 1 END, c.fingerprint, c.tokens, c.prompt_hash, c.frame, c.served_at
  FROM thread, served c
), prompts_copied AS (
  INSERT INTO served_prompts (project_id, thread_uid, hash, text)
  SELECT p.project_id, thread.uid, p.hash, p.text FROM thread, served_prompts p
  WHERE p.project_id = $1 AND p.thread_uid = $3 AND p.hash IN (SELECT prompt_hash FROM served)
)
SELECT ${threadColumns('thread')} FROM thread`;

export async function fork(query: Query, f: Fork): Promise<ThreadRow | undefined> {
  const rows = await query<ThreadRow>({ name: 'fork', text }, [
    f.projectId,
    f.threadId,
    f.threadUid,
    f.newId,
    f.newUid,
    f.atSeq,
    f.generation,
    f.liveTokens,
    f.contentVersion,
    f.policyVersion,
    f.madeFrom,
  ]);
  return rows[0];
}
