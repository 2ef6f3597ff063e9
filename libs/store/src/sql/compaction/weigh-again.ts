import type { Query } from '../../connection/store.js';
import { dueSince } from './due-since.js';
import { threadColumns, type ThreadRow } from '../../threads/thread-row.js';

export interface WeighAgain {
  projectId: string;
  uid: string;
  /** What its context weighs under these settings. */
  liveTokens: number;
  contextWindow: number;
  limitTokens: number;
  triggerTokens: number;
  summaryEnabled: boolean;
  /** The settings of this weighing. */
  settingsVersion: number;
  /** The thread as it was read; after a change of any of these, its messages may differ. */
  policyVersion: number;
  nextSeq: number;
  generation: number;
  contentVersion: number;
}

const unparks = `t.park_reason IN ('irreducible', 'undone', 'declined')`;

/**
 * Sets the live tokens of a thread after its window, counter or policy changed. Guarantees: the thread is due exactly
 * when they pass the new trigger or a request is pending; one that was parked as irreducible or after an undo is checked
 * again; nothing happens when the thread changed since it was read, for then it is weighed later.
 */
const text = `
UPDATE threads AS t SET live_tokens = $3::int, context_window = $4::int, limit_tokens = $5::int,
  trigger_tokens = $6::int, summary_enabled = $7::bool, weighed_version = $8::int,
  needs_compaction = t.request IS NOT NULL OR $7::bool AND $3::int >= $6::int,
  requested_at = CASE WHEN t.request IS NOT NULL OR $7::bool AND $3::int >= $6::int
    THEN ${dueSince('t', unparks)} END,
  park_reason = CASE WHEN ${unparks} THEN NULL ELSE t.park_reason END
WHERE t.project_id = $1 AND t.uid = $2 AND t.deleted_at IS NULL AND t.policy_version = $9 AND t.next_seq = $10
  AND t.generation = $11 AND t.content_version = $12
RETURNING ${threadColumns('t')}`;

export async function weighAgain(query: Query, w: WeighAgain) {
  const rows = await query<ThreadRow>({ name: 'weigh-again', text }, [
    w.projectId,
    w.uid,
    w.liveTokens,
    w.contextWindow,
    w.limitTokens,
    w.triggerTokens,
    w.summaryEnabled,
    w.settingsVersion,
    w.policyVersion,
    w.nextSeq,
    w.generation,
    w.contentVersion,
  ]);
  return rows[0];
}
