import type { Query } from '../../connection/store.js';
import { mediaOf } from '../messages/media-of.js';
import { erasedOutput } from '../outputs/erased-output.js';
import { handOver } from '../outputs/hand-over.js';

/** The replacement of an erased message. */
export interface Tombstone {
  seq: number;
  body: string;
  tokens: number;
  hash: Buffer;
}

export interface Withdraw {
  projectId: string;
  threadId: string;
  /** The summaries to withdraw: this generation, or all that were made from the erased message. */
  what: { generation: number } | { erase: Tombstone };
  /** The state that the live tokens below were computed from. */
  contentVersion: number;
  liveTokens: number;
  activeGeneration: number;
  policyVersion: number;
  /** Live tokens when no summary remains active, without those of messages that are appended meanwhile, */
  liveTokensWithout: number;
  /** and their change when the active one remains. */
  liveTokensDelta: number;
}

export interface Withdrawn {
  generations: number[];
  /** Whether the active summary was among them and another one is to be made. */
  isDue: boolean;
}

/** Appends move neither version: the tokens that they added since the thread was read stay added. */
const without = 'greatest(t.live_tokens - $6::int + $8::int, $8::int)';

/**
 * Withdraws summaries with all that were folded or restored from them, and erases a message where that is the cause.
 * Guarantees, in one statement: no context shows a withdrawn summary; a running compaction cannot commit, because the
 * content version moved; when the active summary is withdrawn, the thread starts a new chain from its original
 * messages. Of an erased message only seq, role and call ids remain: its summaries lose their text, and so do those whose
 * maker saw it beside them, because nobody knows what they say of it; errors of attempts, in which a provider may
 * repeat what it was sent (also of one that ends at this moment), and the instructions found in it are deleted; the next sweep removes its outputs, unless a fork shares them: then the caller holds the
 * locks of the thread and of those outputs. Messages may be appended between the reading and this. Undefined when the
 * thread changed otherwise.
 */
const text = `
WITH RECURSIVE subject AS (
  SELECT uid FROM threads WHERE project_id = $1 AND id = $2
), restored AS MATERIALIZED (
  -- A subquery, which stays a look into the index where statistics do not know yet how many summaries there are.
  SELECT s.chain, s.generation, s.restored_from, (SELECT origin.chain FROM summaries origin
    WHERE origin.project_id = $1 AND origin.thread_uid = subject.uid AND origin.generation = s.restored_from) AS of_chain
  FROM summaries s JOIN subject ON s.thread_uid = subject.uid
  WHERE s.project_id = $1 AND s.restored_from IS NOT NULL
), made_from_it(chain, generation) AS (
  -- The first of each chain stands for those that follow it.
  SELECT s.chain, min(s.generation) FROM summaries s JOIN subject ON s.thread_uid = subject.uid
  WHERE s.project_id = $1 AND (s.generation = $3::int
    OR $4::int BETWEEN s.from_seq AND greatest(s.to_seq, s.seen_seq)
    AND NOT EXISTS (SELECT FROM messages m WHERE m.project_id = $1 AND m.thread_uid = subject.uid AND m.seq = $4::int
      AND m.rewound_before BETWEEN 1 AND s.as_of_seq))
  GROUP BY s.chain
  UNION
  SELECT restored.chain, restored.generation FROM made_from_it made
    JOIN restored ON restored.of_chain = made.chain AND restored.restored_from >= made.generation
), earliest AS (
  -- All that follow in a chain were folded from it. Not by recursion, which would compare each with all before it.
  SELECT chain, min(generation) AS generation FROM made_from_it GROUP BY chain
), withdrawn AS (
  SELECT s.generation FROM subject, earliest, summaries s
  WHERE s.project_id = $1 AND s.thread_uid = subject.uid AND s.chain = earliest.chain AND s.generation >= earliest.generation
), thread AS (
  UPDATE threads AS t SET content_version = t.content_version + 1, updated_at = now(),
    live_tokens = CASE WHEN hit.active THEN ${without} ELSE t.live_tokens + $9::int END,
    last_error = CASE WHEN $4::int IS NULL THEN t.last_error END,
    total_tokens = t.total_tokens + coalesce((SELECT $11::int - m.full_tokens FROM messages m
      WHERE m.project_id = $1 AND m.thread_uid = t.uid AND m.seq = $4::int AND m.rewound_before = 0), 0),
    chain = CASE WHEN hit.active THEN t.last_chain + 1 ELSE t.chain END,
    last_chain = CASE WHEN hit.active THEN t.last_chain + 1 ELSE t.last_chain END,
    generation = CASE WHEN hit.active THEN 0 ELSE t.generation END,
    covered_through = CASE WHEN hit.active THEN 0 ELSE t.covered_through END,
    needs_compaction = CASE WHEN hit.active THEN t.request IS NOT NULL OR (t.summary_enabled AND ${without} >= t.trigger_tokens)
      ELSE t.needs_compaction END,
    requested_at = CASE WHEN NOT hit.active THEN t.requested_at
      WHEN t.request IS NOT NULL OR (t.summary_enabled AND ${without} >= t.trigger_tokens) THEN now() END,
    park_reason = CASE WHEN hit.active THEN NULL ELSE t.park_reason END,
    next_attempt_at = CASE WHEN hit.active THEN NULL ELSE t.next_attempt_at END,
    attempt = CASE WHEN hit.active THEN 0 ELSE t.attempt END
  FROM (SELECT EXISTS (SELECT FROM withdrawn WHERE generation = $7::int) AS active) hit
  WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.content_version = $5
    AND t.generation = $7::int AND t.policy_version = $13::int
  RETURNING t.uid, hit.active AND t.needs_compaction AS is_due
), marked AS (
  UPDATE summaries s SET withdrawn_at = coalesce(s.withdrawn_at, now()),
    fields = CASE WHEN $4::int IS NULL THEN s.fields ELSE '{}' END,
    text = CASE WHEN $4::int IS NULL THEN s.text ELSE '' END,
    fidelity = CASE WHEN $4::int IS NULL THEN s.fidelity END
  FROM thread, earliest
  WHERE s.project_id = $1 AND s.thread_uid = thread.uid AND s.chain = earliest.chain AND s.generation >= earliest.generation
), erased AS (
  UPDATE messages m SET body = $10::text, tokens = $11::int, full_tokens = $11::int, hash = $12::bytea, media = NULL,
    images = 0, output_id = NULL, hold = NULL, hold_tokens = NULL, erased_at = coalesce(m.erased_at, now())
  FROM thread WHERE m.project_id = $1 AND m.thread_uid = thread.uid AND m.seq = $4::int
), errors_gone AS (
  UPDATE compaction_attempts a SET error = NULL FROM thread
  WHERE a.project_id = $1 AND a.thread_uid = thread.uid AND $4::int IS NOT NULL
    AND (a.error IS NOT NULL OR a.outcome IS NULL OR a.outcome = 'lost')
), instructions_gone AS (
  DELETE FROM instructions i USING thread
  WHERE i.project_id = $1 AND i.thread_uid = thread.uid AND i.seq = $4::int AND i.source = 'found'
), ends_gone AS (
  -- Their digests are made of the message too.
  DELETE FROM history_ends e USING thread
  WHERE e.project_id = $1 AND e.thread_uid = thread.uid AND e.seq >= $4::int
), ${handOver((seq) => `${seq} = $4::int`)}, outputs_gone AS (
  UPDATE outputs o SET state = CASE WHEN o.state = 'deleted' THEN o.state ELSE 'deleting' END,
    delete_after = CASE WHEN o.state = 'deleted' THEN o.delete_after ELSE now() END, ${erasedOutput}
  FROM thread WHERE o.project_id = $1 AND o.thread_uid = thread.uid AND o.seq = $4::int
    AND o.id NOT IN (SELECT id FROM handed_over)
), media_free AS (
  -- An array, so that the index finds them: statistics may not know yet how many images a message has.
  DELETE FROM media_uses u USING thread
  WHERE u.project_id = $1 AND u.thread_uid = thread.uid AND u.sha256 = ANY(ARRAY(
    SELECT ${mediaOf('m')} FROM messages m JOIN subject ON m.thread_uid = subject.uid
    WHERE m.project_id = $1 AND m.seq = $4::int
    EXCEPT
    SELECT ${mediaOf('m')} FROM messages m JOIN subject ON m.thread_uid = subject.uid
    WHERE m.project_id = $1 AND m.seq <> $4::int AND m.media IS NOT NULL
  ))
)
SELECT (SELECT coalesce(array_agg(generation), '{}') FROM withdrawn) AS generations, is_due AS "isDue" FROM thread`;

export async function withdraw(query: Query, w: Withdraw): Promise<Withdrawn | undefined> {
  const erase = 'erase' in w.what ? w.what.erase : null;
  const rows = await query<Withdrawn>({ name: 'withdraw', text }, [
    w.projectId,
    w.threadId,
    'generation' in w.what ? w.what.generation : null,
    erase?.seq ?? null,
    w.contentVersion,
    w.liveTokens,
    w.activeGeneration,
    w.liveTokensWithout,
    w.liveTokensDelta,
    erase?.body ?? null,
    erase?.tokens ?? null,
    erase?.hash ?? null,
    w.policyVersion,
  ]);
  return rows[0];
}
