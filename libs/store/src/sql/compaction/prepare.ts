import { isPaused } from '../../access/compaction-pause.js';
import type { Query } from '../../connection/store.js';
import type { SummaryMaker } from '../messages/read-context.js';
import type { PreparedState } from '../../threads/thread-row.js';

export interface Prepare {
  projectId: string;
  threadUid: string;
  epoch: number;
  state: PreparedState;
  /** The state that the summary was made from. */
  chain: number;
  generation: number;
  coveredThrough: number;
  contentVersion: number;
  policyVersion: number;
  /** The project's settings that it was planned under. */
  settingsVersion: number;
  /** The request at the time of the claim; a later one stays pending. */
  request: string | null;
  /** It starts a chain when it takes effect: it covers again what the active summary covers. */
  newChain: boolean;
  fromSeq: number;
  toSeq: number;
  /** The newest seq that its plan knew. */
  asOfSeq: number;
  /** The newest seq that its model saw, where that is beyond its range; 0 where not. */
  seenSeq: number;
  carried: readonly number[];
  clearedThrough: number;
  fields: string;
  text: string;
  summaryTokens: number;
  /** What its plan allowed it. */
  maxTokens: number;
  tokensBefore: number;
  tokensAfter: number;
  method: PreparedRow['method'];
  model: string | null;
  /** As in commit.ts. */
  failure: string | null;
  /** Which standing instructions it shows, as JSON. */
  shownInstructions: string;
  /** What it kept of its range, as JSON. */
  fidelity: string;
  /** Milliseconds without an append after which it is put in place; null to wait for the trigger. */
  idleMs: number | null;
}

/**
 * Stores a summary that is not in place yet. Guarantees: a thread has at most one; nothing is stored when the thread
 * was compacted, restored, rebuilt, pinned, erased or given another policy since the claim, nor under project settings
 * that are no longer in force; contexts stay as they are. It has its generation number from now on, which no other
 * summary gets. The trigger void_prepared deletes it as soon as what it was made from changes. The thread stays due
 * when it is over its trigger or somebody made another request. Returns the number, or undefined when another change
 * came first.
 */
const text = `
WITH thread AS (
  UPDATE threads AS t SET prepared_generation = t.last_generation + 1, last_generation = t.last_generation + 1,
    prepared_state = $4::text,
    prepare_at = CASE WHEN $4::text = 'prepared' THEN now() + $27::bigint * interval '1 ms' END,
    needs_compaction = t.request IS DISTINCT FROM $11::text OR t.summary_enabled AND t.live_tokens >= t.trigger_tokens,
    requested_at = CASE WHEN t.request IS DISTINCT FROM $11::text
      OR t.summary_enabled AND t.live_tokens >= t.trigger_tokens THEN coalesce(t.requested_at, now()) END,
    request = CASE WHEN t.request IS DISTINCT FROM $11::text THEN t.request END, attempt = 0, lost_attempts = 0,
    next_attempt_at = NULL, last_error = NULL, park_reason = NULL,
    lease_until = CASE WHEN t.lease_epoch = $3::int THEN NULL ELSE t.lease_until END
  WHERE t.project_id = $1 AND t.uid = $2 AND t.deleted_at IS NULL AND t.chain = $5 AND t.generation = $6
    AND t.covered_through = $7 AND t.content_version = $8 AND t.policy_version = $9 AND t.prepared_generation = 0
    AND (SELECT settings_version FROM projects WHERE id = $1) = $10 AND NOT ${isPaused('$1::uuid')}
  RETURNING t.*
), summary AS (
  INSERT INTO prepared_summaries (project_id, thread_uid, generation, new_chain, from_seq, to_seq, as_of_seq, carried,
    cleared_through, fields, text, tokens, max_tokens, tokens_before, tokens_after, method, model, instructions,
    settings_version, fidelity, seen_seq)
  SELECT $1::uuid, $2::uuid, prepared_generation, $12::bool, $13::int, $14::int, $15::int, $16::int[], $17::int,
    $18::text, $19::text, $20::int, $21::int, $22::int, $23::int, $24::text, $25::text, $26::text, $10::int,
    $28::jsonb, $29::int
  FROM thread
), attempt AS (
  UPDATE compaction_attempts a SET outcome = $4::text, reason = $30::text, ended_at = now(), generation = thread.prepared_generation,
    from_seq = $13::int, to_seq = $14::int, method = $24::text, model = $25::text, tokens_before = $22::int,
    tokens_after = $23::int
  FROM thread WHERE a.project_id = $1 AND a.thread_uid = $2 AND a.epoch = $3
)
SELECT prepared_generation AS generation, needs_compaction AS "stillDue" FROM thread`;

export async function prepare(query: Query, p: Prepare) {
  const rows = await query<{ generation: number; stillDue: boolean }>({ name: 'prepare', text }, [
    p.projectId,
    p.threadUid,
    p.epoch,
    p.state,
    p.chain,
    p.generation,
    p.coveredThrough,
    p.contentVersion,
    p.policyVersion,
    p.settingsVersion,
    p.request,
    p.newChain,
    p.fromSeq,
    p.toSeq,
    p.asOfSeq,
    p.carried,
    p.clearedThrough,
    p.fields,
    p.text,
    p.summaryTokens,
    p.maxTokens,
    p.tokensBefore,
    p.tokensAfter,
    p.method,
    p.model,
    p.shownInstructions,
    p.idleMs,
    p.fidelity,
    p.seenSeq,
    p.failure,
  ]);
  return rows[0];
}

/**
 * Voids the prepared summary of a thread, if it is still this one: its text is deleted, its number is never used again.
 * A thread over its trigger is due again. False when another change came first.
 */
export async function voidPrepared(
  query: Query,
  of: { projectId: string; threadUid: string; generation: number },
): Promise<boolean> {
  const due = '(t.needs_compaction OR t.summary_enabled AND t.live_tokens >= t.trigger_tokens)';
  const rows = await query(
    {
      name: 'void-prepared',
      text: `UPDATE threads AS t SET prepared_generation = 0, needs_compaction = ${due},
          requested_at = CASE WHEN ${due} THEN coalesce(t.requested_at, now()) END, updated_at = now()
        WHERE t.project_id = $1 AND t.uid = $2 AND t.deleted_at IS NULL AND t.prepared_generation = $3
        RETURNING t.uid`,
    },
    [of.projectId, of.threadUid, of.generation],
  );
  return rows.length === 1;
}

/** A summary that is not in place yet. */
export interface PreparedRow {
  projectId: string;
  threadUid: string;
  generation: number;
  state: PreparedState;
  newChain: boolean;
  /** The chain that it belongs to: a new one gets its number when it takes effect. */
  chain: number;
  fromSeq: number;
  toSeq: number;
  asOfSeq: number;
  seenSeq: number;
  carried: number[];
  clearedThrough: number;
  fields: string;
  text: string;
  tokens: number;
  maxTokens: number;
  tokensBefore: number;
  tokensAfter: number;
  method: SummaryMaker;
  model: string | null;
  instructions: string;
  settingsVersion: number;
  /** As JSON holds it; null in rows from before it. */
  fidelity: object | null;
  createdAt: Date;
}

/** The prepared or proposed summary of a thread, if there is one. */
export async function readPrepared(query: Query, projectId: string, threadUid: string) {
  const rows = await query<PreparedRow>(
    {
      name: 'read-prepared',
      text: `SELECT p.project_id AS "projectId", p.thread_uid AS "threadUid", p.generation, t.prepared_state AS state,
          p.new_chain AS "newChain", CASE WHEN p.new_chain THEN t.last_chain + 1 ELSE t.chain END AS chain,
          p.from_seq AS "fromSeq", p.to_seq AS "toSeq", p.as_of_seq AS "asOfSeq", p.seen_seq AS "seenSeq", p.carried,
          p.cleared_through AS "clearedThrough", p.fields, p.text, p.tokens, p.max_tokens AS "maxTokens",
          p.tokens_before AS "tokensBefore", p.tokens_after AS "tokensAfter", p.method, p.model, p.instructions,
          p.settings_version AS "settingsVersion", p.fidelity, p.created_at AS "createdAt"
        FROM threads t JOIN prepared_summaries p ON p.project_id = t.project_id AND p.thread_uid = t.uid
          AND p.generation = t.prepared_generation
        WHERE t.project_id = $1 AND t.uid = $2 AND t.deleted_at IS NULL`,
    },
    [projectId, threadUid],
  );
  return rows[0];
}
