import { unparkDivisor } from '@spillway/engine';
import { dueSince } from '../compaction/due-since.js';
import { headSeqOf } from '../../threads/thread-row.js';

/** The columns of a posted message, as both statements that append name them. */
export const postedColumns =
  'client_id, role, pinned, tokens, full_tokens, calls, answers, body, hash, output_id, format, images, media, sent_at';

/** The same as the select list of alias `p`. */
export const postedOf = (p: string): string =>
  postedColumns
    .split(', ')
    .map((column) => `${p}.${column}`)
    .join(', ');

/** What is appended to a thread, each as the SQL that stands for it. */
export interface AppendedSql {
  /** Number of messages. */
  count: string;
  /** What they add to the live tokens. */
  weight: string;
  /** System messages that they start with. */
  leading: string;
  fullTokens: string;
  outputs: string;
  contextWindow: string;
  limitTokens: string;
  triggerTokens: string;
  summaryEnabled: string;
  policyVersion: string;
  aheadTokens: string;
  makeAfterMs: string;
  idleMs: string;
  ifLastSeq: string;
}

/**
 * How messages change the row of a thread `t` that exists, and on which condition: the one rule of both statements that
 * append. Each expression is evaluated on the locked row.
 */
export function appendedTo(t: string, a: AppendedSql): { set: string; where: string } {
  const live = `${t}.live_tokens + ${a.weight}`;
  const isOver = `${a.summaryEnabled} AND ${live} >= ${a.triggerTokens}`;
  const unparks = `(${t}.park_reason IN ('irreducible', 'undone', 'declined')
        AND ${live} >= ${t}.parked_tokens + ${a.triggerTokens} / ${unparkDivisor}
      OR ${t}.park_reason IN ('undone', 'declined') AND ${live} > ${a.limitTokens})`;
  return {
    set: `next_seq = ${t}.next_seq + ${a.count},
    live_tokens = ${live},
    total_tokens = ${t}.total_tokens + ${a.fullTokens},
    leading_through = CASE WHEN ${a.leading} > 0 AND ${t}.leading_through = ${headSeqOf(t)}
      THEN ${t}.next_seq - 1 + ${a.leading} ELSE ${t}.leading_through END,
    rewound_to = NULL,
    output_count = ${t}.output_count + ${a.outputs},
    context_window = ${a.contextWindow}, limit_tokens = ${a.limitTokens}, trigger_tokens = ${a.triggerTokens},
    summary_enabled = ${a.summaryEnabled},
    needs_compaction = ${t}.needs_compaction OR (${isOver}),
    requested_at = CASE WHEN ${isOver} THEN ${dueSince(t, unparks)} ELSE ${t}.requested_at END,
    park_reason = CASE WHEN ${unparks} THEN NULL ELSE ${t}.park_reason END,
    prepare_at = CASE WHEN NOT ${a.summaryEnabled} OR ${live} < ${a.aheadTokens} OR ${a.aheadTokens} IS NULL THEN NULL
      WHEN ${t}.prepared_generation <> 0 THEN now() + ${a.idleMs} * interval '1 ms'
      WHEN ${a.makeAfterMs} = 0 THEN coalesce(${t}.prepare_at, now())
      ELSE now() + ${a.makeAfterMs} * interval '1 ms' END,
    updated_at = now()`,
    where: `${t}.deleted_at IS NULL AND ${t}.policy_version = ${a.policyVersion}
    AND (${a.ifLastSeq} IS NULL OR ${headSeqOf(t)} = ${a.ifLastSeq})`,
  };
}
