import type { Tables } from '@spillway/testing/simulation';
import type { Query } from '@spillway/store';

/**
 * Every row of these projects but for times, which only say whether they are set. Since when a thread is due is told in
 * leaps of the clock.
 */
const text = `
SELECT t.uid, t.id, json_build_array(t.next_seq, t.rewound_to, t.leading_through, t.live_tokens, t.total_tokens, t.context_window,
    t.limit_tokens, t.trigger_tokens, t.summary_enabled, t.output_count, t.policy_version, t.chain, t.last_chain,
    t.generation, t.last_generation, t.covered_through, t.content_version, t.calibration,
    t.measured_ratio, t.request_tokens, t.weighed_version, t.needs_compaction, t.request,
    t.prepared_generation, t.prepared_state, t.lease_owner, t.lease_epoch, t.attempt, t.lost_attempts, t.park_reason, t.parked_tokens, t.last_error, t.forked_from, t.fork_seq) AS held,
  round(extract(epoch FROM now() - t.requested_at) * 1000 / $2::int)::int AS due_for,
  ${['lease_until', 'prepare_at', 'next_attempt_at', 'deleted_at'].map((c) => `t.${c} IS NOT NULL AS "${c}"`).join(', ')},
  (SELECT json_agg(json_build_array(m.seq, m.client_id, m.role, m.pinned, m.tokens, m.body, m.hold, m.hold_tokens, m.erased_at IS NOT NULL, m.rewound_before, extract(epoch FROM m.sent_at) * 1000) ORDER BY m.seq)
    FROM messages m WHERE m.project_id = t.project_id AND m.thread_uid = t.uid) AS messages,
  (SELECT json_agg(json_build_array(s.generation, s.chain, s.from_seq, s.to_seq, s.as_of_seq, s.seen_seq, s.visible_from_seq,
      s.carried, s.cleared_through, s.text, s.tokens, s.tokens_before, s.tokens_after, s.model, s.restored_from,
      s.withdrawn_at IS NOT NULL, s.undone_at IS NOT NULL, s.rewound_before, s.replaces, s.instructions, s.holds, s.author, s.fidelity)
    ORDER BY s.generation) FROM summaries s WHERE s.project_id = t.project_id AND s.thread_uid = t.uid) AS summaries,
  (SELECT json_agg(json_build_array(s.generation, s.new_chain, s.from_seq, s.to_seq, s.as_of_seq, s.seen_seq, s.carried,
      s.cleared_through, s.text, s.tokens, s.max_tokens, s.settings_version))
    FROM prepared_summaries s WHERE s.project_id = t.project_id AND s.thread_uid = t.uid) AS prepared,
  (SELECT json_agg(json_build_array(a.epoch, a.trigger, a.outcome, a.reason, a.error, a.generation, a.from_seq,
      a.to_seq, a.method, a.tokens_before, a.tokens_after) ORDER BY a.epoch)
    FROM compaction_attempts a WHERE a.project_id = t.project_id AND a.thread_uid = t.uid) AS attempts,
  (SELECT json_agg(json_build_array(c.seq, c.generation, c.fingerprint, c.tokens, c.prompt_hash, c.frame) ORDER BY c.seq)
    FROM served_contexts c WHERE c.project_id = t.project_id AND c.thread_uid = t.uid) AS served,
  (SELECT json_agg(json_build_array(i.id, i.seq, i.participant, i.text, i.kind, i.source, i.decision, i.decided_seq) ORDER BY i.id COLLATE "C")
    FROM instructions i WHERE i.project_id = t.project_id AND i.thread_uid = t.uid) AS instructions,
  (SELECT json_agg(json_build_array(r.version, r.to_seq, r.before_seq, r.messages, r.key) ORDER BY r.version)
    FROM rewinds r WHERE r.project_id = t.project_id AND r.thread_uid = t.uid) AS rewinds,
  (SELECT json_agg(json_build_array(p.hash, p.text) ORDER BY p.hash)
    FROM served_prompts p WHERE p.project_id = t.project_id AND p.thread_uid = t.uid) AS prompts
FROM threads t WHERE t.project_id = ANY($1::uuid[]) ORDER BY t.uid`;

export const rowsIn = {
  postgres: (query: Query, projects: readonly string[], passMs: number) =>
    query({ name: 'all-rows', text }, [projects, passMs]),
  memory: (tables: Tables, projects: readonly string[], passMs: number): object[] =>
    [...tables.threads()]
      .filter(({ row }) => projects.includes(row.projectId))
      .sort((a, b) => (a.row.uid < b.row.uid ? -1 : 1))
      .map(({ row: t, messages, summaries, attempts, served, prompts, instructions, prepared, rewinds }) => ({
        uid: t.uid,
        id: t.id,
        held: [
          ...[
            t.nextSeq,
            t.rewoundTo,
            t.leadingThrough,
            t.liveTokens,
            t.totalTokens,
            t.contextWindow,
            t.limitTokens,
          ],
          ...[t.triggerTokens, t.summaryEnabled, t.outputCount, t.policyVersion, t.chain, t.lastChain],
          ...[t.generation, t.lastGeneration, t.coveredThrough, t.contentVersion, t.calibration],
          ...[t.measuredRatio, t.requestTokens, t.weighedVersion],
          ...[
            t.needsCompaction,
            t.request,
            t.preparedGeneration,
            t.preparedState,
            t.leaseOwner,
            t.leaseEpoch,
            t.attempt,
            t.lostAttempts,
          ],
          ...[t.parkReason, t.parkedTokens, t.lastError, t.forkedFrom, t.forkSeq],
        ],
        due_for: t.requestedAt === null ? null : Math.round((tables.now() - t.requestedAt) / passMs),
        lease_until: t.leaseUntil !== null,
        prepare_at: t.prepareAt !== null,
        next_attempt_at: t.nextAttemptAt !== null,
        deleted_at: t.deletedAt !== null,
        messages: listed(
          messages.map((m) => [
            ...[m.seq, m.clientId, m.role, m.pinned, m.tokens, m.body],
            ...[m.hold, m.holdTokens, m.erasedAt !== null, m.rewoundBefore],
            m.sentAt === null ? null : Date.parse(m.sentAt),
          ]),
        ),
        summaries: listed(
          summaries.map((s) => [
            ...[s.generation, s.chain, s.fromSeq, s.toSeq, s.asOfSeq, s.seenSeq, s.visibleFromSeq, s.carried],
            ...[s.clearedThrough, s.text, s.tokens, s.tokensBefore, s.tokensAfter, s.model, s.restoredFrom],
            ...[
              s.withdrawnAt !== null,
              s.undoneAt !== null,
              s.rewoundBefore,
              s.replaces,
              s.instructions,
              s.holds,
            ],
            ...[s.author, s.fidelity],
          ]),
        ),
        prepared: listed(
          [prepared].flatMap((s) =>
            s === null
              ? []
              : [
                  [
                    ...[
                      s.generation,
                      s.newChain,
                      s.fromSeq,
                      s.toSeq,
                      s.asOfSeq,
                      s.seenSeq,
                      s.carried,
                      s.clearedThrough,
                    ],
                    ...[s.text, s.tokens, s.maxTokens, s.settingsVersion],
                  ],
                ],
          ),
        ),
        attempts: listed(
          attempts.map((a) => [
            ...[a.epoch, a.trigger, a.outcome, a.reason, a.error, a.generation, a.fromSeq, a.toSeq],
            ...[a.method, a.tokensBefore, a.tokensAfter],
          ]),
        ),
        served: listed(
          [...served.values()]
            .sort((a, b) => a.seq - b.seq)
            .map((c) => [c.seq, c.generation, c.fingerprint, c.tokens, c.promptHash, c.frame]),
        ),
        instructions: listed(
          [...instructions.values()]
            .sort((a, b) => (a.id < b.id ? -1 : 1))
            .map((i) => [i.id, i.seq, i.participant, i.text, i.kind, i.source, i.decision, i.decidedSeq]),
        ),
        rewinds: listed(rewinds.map((r) => [r.version, r.toSeq, r.beforeSeq, r.messages, r.key])),
        prompts: listed([...prompts].sort()),
      })),
};

/** Postgres aggregates no rows to null. */
const listed = (rows: unknown[]): unknown[] | null => (rows.length > 0 ? rows : null);
