import type { Query } from '../../connection/store.js';

export interface Restore {
  projectId: string;
  threadId: string;
  /** The generation whose content becomes active; 0 for the original messages alone. */
  generation: number;
  /** Undoes the active generation, which `generation` was active before. */
  undo: boolean;
  /** Live tokens once that summary is the active one. */
  liveTokens: number;
  /** The state those were computed from. */
  contentVersion: number;
  nextSeq: number;
  activeGeneration: number;
  policyVersion: number;
}

const isDue = 't.request IS NOT NULL OR t.summary_enabled AND $4::int >= t.trigger_tokens';

/**
 * Makes the content of an older generation the active summary: a new generation, first of a new chain, with the same
 * coverage. Nothing is overwritten, and a running compaction cannot commit over it, because the chain moved; its lease
 * ends here, so that its report changes nothing. An undo also marks the generation that was active, and goes back by
 * what each generation replaced, so that repeated undos go further back. A thread that is over its trigger after an
 * undo is parked: it would make the same summary again at once. Returns the thread's generation, or undefined when the
 * thread changed meanwhile.
 */
const text = `
WITH old AS (
  SELECT s.* FROM threads t LEFT JOIN summaries s ON s.project_id = t.project_id AND s.thread_uid = t.uid
    AND s.generation = $3::int AND s.withdrawn_at IS NULL AND s.rewound_before = 0
  WHERE t.project_id = $1 AND t.id = $2 AND ($3::int = 0 OR s.generation IS NOT NULL)
), thread AS (
  UPDATE threads AS t SET chain = t.last_chain + 1, last_chain = t.last_chain + 1,
    generation = CASE WHEN $3::int = 0 THEN 0 ELSE t.last_generation + 1 END,
    last_generation = CASE WHEN $3::int = 0 THEN t.last_generation ELSE t.last_generation + 1 END,
    covered_through = coalesce(old.to_seq, 0), content_version = t.content_version + 1, live_tokens = $4::int,
    needs_compaction = ${isDue}, requested_at = CASE WHEN ${isDue} THEN now() END,
    park_reason = CASE WHEN $9::bool AND t.request IS NULL AND (${isDue}) THEN 'undone' END,
    parked_tokens = CASE WHEN $9::bool THEN $4::int ELSE t.parked_tokens END,
    next_attempt_at = NULL, lease_until = NULL, attempt = 0, lost_attempts = 0, updated_at = now()
  FROM old WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.content_version = $5
    AND t.next_seq = $6 AND t.generation = $7::int AND t.policy_version = $8
  RETURNING t.*
), undone AS (
  UPDATE summaries s SET undone_at = now() FROM thread
  WHERE $9::bool AND s.project_id = $1 AND s.thread_uid = thread.uid AND s.generation = $7::int
), made AS (
  INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
    carried, cleared_through, fields, text, tokens, tokens_before, tokens_after, method, model, restored_from,
    instructions, holds, fidelity, replaces, author, seen_seq)
  SELECT old.project_id, old.thread_uid, thread.generation, thread.chain, 1, old.to_seq, thread.next_seq - 1,
    CASE WHEN thread.rewound_to IS NULL THEN thread.next_seq - 1 ELSE thread.next_seq END, old.carried, old.cleared_through, old.fields, old.text, old.tokens, old.tokens_before,
    $4::int, old.method, old.model, old.generation, old.instructions, old.holds, old.fidelity - 'recall',
    CASE WHEN $9::bool THEN coalesce(old.replaces, old.generation - 1) ELSE $7::int END,
    old.author, old.seen_seq
  FROM old, thread WHERE $3::int > 0
)
SELECT generation FROM thread`;

export async function restore(query: Query, r: Restore): Promise<number | undefined> {
  const rows = await query<{ generation: number }>({ name: 'restore', text }, [
    r.projectId,
    r.threadId,
    r.generation,
    r.liveTokens,
    r.contentVersion,
    r.nextSeq,
    r.activeGeneration,
    r.policyVersion,
    r.undo,
  ]);
  return rows[0]?.generation;
}
