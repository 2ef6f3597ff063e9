import { isPaused } from '../../access/compaction-pause.js';
import type { Query } from '../../connection/store.js';

export interface Commit {
  projectId: string;
  threadUid: string;
  epoch: number;
  /** The state that the summary was made from; the commit succeeds only if it did not change. */
  chain: number;
  generation: number;
  coveredThrough: number;
  contentVersion: number;
  /** The request at the time of the claim; a later one stays pending. */
  request: string | null;
  /** The prepared summary that takes effect; null for one that was made just now. */
  prepared: number | null;
  /** It starts a chain: it covers again what the active summary covers. */
  newChain: boolean;
  fromSeq: number;
  toSeq: number;
  carried: readonly number[];
  clearedThrough: number;
  fields: string;
  text: string;
  summaryTokens: number;
  /** Live tokens at the claim; later appends are added to liveTokensAfter. */
  liveTokensAtClaim: number;
  liveTokensAfter: number;
  /** The weighing at the claim. */
  policyVersionAtClaim: number;
  weighedVersionAtClaim: number;
  tokensBefore: number;
  /** Of the context with the new summary: live tokens and the notes that separate its messages. */
  tokensAfter: number;
  method: string;
  model: string | null;
  /** Why code made it although the policy asks for a model, which its attempt records; null otherwise. */
  failure: string | null;
  /** The caller that wrote it; null for a compaction. */
  author: string | null;
  /** The caller's own summary that it puts in place again, or goes on from in a new chain; null without one. */
  restoredFrom: number | null;
  /** The newest measurement that this compaction was planned with; null when it is adopted already. */
  adopted: AdoptedCalibration | null;
  /** The standing instructions that the messages it covers say, as JSON: `[{id, seq, participant, text, kind}]`. */
  found: string;
  /** Which of them the summary shows, as JSON. */
  shownInstructions: string;
  /** What callers keep and release beside it, as JSON; null without any. */
  holds: string | null;
  /** What the summary kept of its range, as JSON. */
  fidelity: string;
  /** The newest seq that its model saw, where that is beyond its range; 0 where not. A caller has seen all, when it writes. */
  seenSeq: number;
  /** What the agent needed after the fold that this one replaces, as JSON; null where that is not known. */
  recall: string | null;
}

/** A calibration with the resulting budget. */
export interface AdoptedCalibration {
  calibration: number;
  limitTokens: number;
  triggerTokens: number;
  /** The policy that the budget was computed under. */
  policyVersion: number;
}

const adopts = '($22::float8 IS NOT NULL AND t.policy_version = $25::int)';
/** If it was weighed since the claim, live tokens contain another weight of the range than was subtracted. */
const wasWeighed = '(t.policy_version <> $27::int OR t.weighed_version <> $28::int)';
const live = 'greatest(t.live_tokens - $15::int + $26::int, $26::int)';
const trigger = `CASE WHEN ${adopts} THEN $24::int ELSE t.trigger_tokens END`;

/**
 * Makes a summary the active one. Guarantees: within a chain every message is in exactly one generation, without gaps
 * or overlaps, because the range starts where the row says the last one ended; a slow or stale worker changes nothing,
 * because the first valid commit moves the row that others compare with; text that was erased meanwhile is never
 * committed; what a worker made takes no effect while the operator pauses compaction; a prepared summary takes effect
 * only while it is still the thread's, under the number it has; later requests stay pending. A measured calibration is
 * adopted here and nowhere else, unless the policy changed meanwhile. When nothing was served at the newest seq, the
 * new summary counts as served there; after a manual compaction, for a caller's own summary, whose caller has seen the
 * context, and after a rewind it counts from the next seq on. A caller's own summary ends the lease of a compaction in
 * progress, which could not commit any more. A thread that was weighed since the claim must be weighed again. The
 * instructions found in the range are written with the summary; what a person decided about one meanwhile stays. The
 * generation that it replaces gets what the agent needed after it, which was read from messages that nobody has erased
 * since. Returns the new generation, or undefined when another change came first.
 */
const text = `
WITH thread AS (
  UPDATE threads AS t SET
    chain = CASE WHEN $8::bool THEN t.last_chain + 1 ELSE t.chain END,
    last_chain = CASE WHEN $8::bool THEN t.last_chain + 1 ELSE t.last_chain END,
    generation = coalesce($31::int, t.last_generation + 1),
    last_generation = CASE WHEN $31::int IS NULL THEN t.last_generation + 1 ELSE t.last_generation END,
    covered_through = $10::int,
    live_tokens = ${live},
    calibration = CASE WHEN ${adopts} THEN $22 ELSE t.calibration END,
    limit_tokens = CASE WHEN ${adopts} THEN $23::int ELSE t.limit_tokens END,
    trigger_tokens = ${trigger},
    policy_version = CASE WHEN ${adopts} THEN t.policy_version + 1 ELSE t.policy_version END,
    weighed_version = CASE WHEN ${adopts} OR ${wasWeighed} THEN 0 ELSE t.weighed_version END,
    needs_compaction = t.request IS DISTINCT FROM $21::text
      OR t.summary_enabled AND ${live} >= ${trigger},
    requested_at = CASE WHEN t.request IS DISTINCT FROM $21::text
      OR t.summary_enabled AND ${live} >= ${trigger} THEN now() END,
    request = CASE WHEN t.request IS DISTINCT FROM $21::text THEN t.request END, attempt = 0, lost_attempts = 0, next_attempt_at = NULL, last_error = NULL, park_reason = NULL,
    prepare_at = NULL,
    lease_until = CASE WHEN t.lease_epoch = $3 OR $33::text IS NOT NULL THEN NULL ELSE t.lease_until END, updated_at = now()
  WHERE t.project_id = $1 AND t.uid = $2 AND t.deleted_at IS NULL AND t.chain = $4 AND t.generation = $5
    AND t.covered_through = $6 AND t.content_version = $7
    AND ($31::int IS NULL OR t.prepared_generation = $31::int AND t.prepared_state = 'prepared')
    AND ($33::text IS NOT NULL OR NOT ${isPaused('$1::uuid')})
  RETURNING t.*
), summary AS (
  INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
    carried, cleared_through, fields, text, tokens, tokens_before, tokens_after, method, model, instructions, replaces,
    holds, author, fidelity, restored_from, seen_seq)
  SELECT $1::uuid, $2::uuid, generation, chain, $9::int, $10::int, next_seq - 1,
    CASE WHEN $21::text IS NULL AND $33::text IS NULL AND rewound_to IS NULL THEN next_seq - 1 ELSE next_seq END,
    $11::int[], $20::int, $12::text, $13::text, $14::int, $16::int, $17::int, $18::text, $19::text, $30::text, $5::int,
    $32::text, $33::text, $34::jsonb, $38::int,
    CASE WHEN $33::text IS NULL OR $38::int IS NOT NULL THEN $36::int ELSE next_seq - 1 END
  FROM thread
), recalled AS (
  UPDATE summaries s SET fidelity = s.fidelity || jsonb_build_object('recall', $35::jsonb) FROM thread
  WHERE $35::jsonb IS NOT NULL AND s.project_id = $1 AND s.thread_uid = $2 AND s.generation = $5::int
), found AS (
  INSERT INTO instructions (project_id, thread_uid, id, seq, participant, text, kind, source)
  SELECT $1::uuid, $2::uuid, x.id, x.seq, x.participant, x.text, x.kind, 'found'
  FROM thread, json_to_recordset($29::json) AS x(id text, seq int, participant text, text text, kind text)
  ON CONFLICT DO NOTHING
), attempt AS (
  UPDATE compaction_attempts a SET outcome = 'compacted', reason = $37::text, ended_at = now(), generation = thread.generation,
    from_seq = $9::int, to_seq = $10::int, method = $18::text, model = $19::text, tokens_before = $16::int,
    tokens_after = $17::int
  FROM thread WHERE a.project_id = $1 AND a.thread_uid = $2 AND a.epoch = $3
)
SELECT generation, needs_compaction AS "stillDue", weighed_version = 0 AS "mustBeWeighed" FROM thread`;

export async function commit(query: Query, c: Commit) {
  const rows = await query<{ generation: number; stillDue: boolean; mustBeWeighed: boolean }>(
    { name: 'commit', text },
    [
      c.projectId,
      c.threadUid,
      c.epoch,
      c.chain,
      c.generation,
      c.coveredThrough,
      c.contentVersion,
      c.newChain,
      c.fromSeq,
      c.toSeq,
      c.carried,
      c.fields,
      c.text,
      c.summaryTokens,
      c.liveTokensAtClaim,
      c.tokensBefore,
      c.tokensAfter,
      c.method,
      c.model,
      c.clearedThrough,
      c.request,
      c.adopted?.calibration ?? null,
      c.adopted?.limitTokens ?? null,
      c.adopted?.triggerTokens ?? null,
      c.adopted?.policyVersion ?? null,
      c.liveTokensAfter,
      c.policyVersionAtClaim,
      c.weighedVersionAtClaim,
      c.found,
      c.shownInstructions,
      c.prepared,
      c.holds,
      c.author,
      c.fidelity,
      c.recall,
      c.seenSeq,
      c.failure,
      c.restoredFrom,
    ],
  );
  return rows[0];
}
