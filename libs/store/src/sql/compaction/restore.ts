import type { Query } from '../../connection/store.js';

export interface Restore {
  projectId: string;
  threadId: string;
  generation: number;
  /** Live tokens once that summary is the active one. */
  liveTokens: number;
  /** The state those were computed from. */
  contentVersion: number;
  nextSeq: number;
  activeGeneration: number;
  policyVersion: number;
}

/**
 * Makes the content of an older generation the active summary: a new generation, first of a new chain, with the same
 * coverage. Nothing is overwritten, and a running compaction cannot commit over it, because the chain moved. Returns
 * the new generation, or undefined when the thread changed meanwhile.
 */
export async function restore(query: Query, r: Restore): Promise<number | undefined> {
  const rows = await query<{ generation: number }>(
    {
      name: 'restore',
      text: `
WITH old AS (
  SELECT s.* FROM summaries s JOIN threads t ON t.project_id = s.project_id AND t.uid = s.thread_uid
  WHERE t.project_id = $1 AND t.id = $2 AND s.generation = $3 AND s.withdrawn_at IS NULL
), thread AS (
  UPDATE threads AS t SET chain = t.last_chain + 1, last_chain = t.last_chain + 1,
    generation = t.last_generation + 1, last_generation = t.last_generation + 1, covered_through = old.to_seq,
    content_version = t.content_version + 1, live_tokens = $4,
    needs_compaction = t.request IS NOT NULL OR t.summary_enabled AND $4 >= t.trigger_tokens,
    requested_at = CASE WHEN t.request IS NOT NULL OR t.summary_enabled AND $4 >= t.trigger_tokens THEN now() END,
    park_reason = NULL, next_attempt_at = NULL, attempt = 0, updated_at = now()
  FROM old WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.content_version = $5
    AND t.next_seq = $6 AND t.generation = $7 AND t.policy_version = $8
  RETURNING t.*
)
INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
  carried, cleared_through, fields, text, tokens, tokens_before, tokens_after, method, model, restored_from,
  instructions)
SELECT old.project_id, old.thread_uid, thread.generation, thread.chain, 1, old.to_seq, thread.next_seq - 1,
  thread.next_seq - 1, old.carried, old.cleared_through, old.fields, old.text, old.tokens, old.tokens_before, $4, old.method, old.model,
  old.generation, old.instructions
FROM old, thread RETURNING generation`,
    },
    [
      r.projectId,
      r.threadId,
      r.generation,
      r.liveTokens,
      r.contentVersion,
      r.nextSeq,
      r.activeGeneration,
      r.policyVersion,
    ],
  );
  return rows[0]?.generation;
}
