import {
  factsField,
  heldIn,
  type AttemptRow,
  type CallerRow,
  type GenerationRow,
  type SummaryRow,
  type ShownFidelity,
  type SummarySlots,
  type ThreadRow,
} from '@spillway/service';
import { mayRead } from '../auth/caller.js';

/** Usage of an attempt's model calls. A restored summary has no attempt. */
export const spendingView = (row: AttemptRow | undefined) => ({
  input_tokens: row?.inputTokens ?? null,
  output_tokens: row?.outputTokens ?? null,
  cached_input_tokens: row?.cachedInputTokens ?? null,
  cost_usd: row?.costUsd ?? null,
  prompt_version: row?.promptVersion ?? null,
});

/** Whether contexts show a generation, did, or may. */
const stateOf = (row: GenerationRow & { prepared?: 'prepared' | 'proposed' }, thread: ThreadRow) => {
  if (row.prepared) return row.prepared;
  if (row.withdrawnAt !== null) return 'withdrawn' as const;
  if (row.rewoundBefore > 0) return 'rewound' as const;
  if (row.undoneAt !== null) return 'undone' as const;
  return row.generation === thread.generation ? ('active' as const) : ('replaced' as const);
};

const holdsView = (column: string | null) => {
  const holds = heldIn(column);
  return {
    kept: holds?.kept ?? [],
    whole: holds?.whole.map(([seq]) => seq) ?? [],
    released: holds?.released ?? [],
  };
};

/** A summary generation in API form, without its text. */
export const generationView = (row: GenerationRow, thread: ThreadRow) => ({
  generation: row.generation,
  chain: row.chain,
  from_seq: row.fromSeq,
  to_seq: row.toSeq,
  as_of_seq: row.asOfSeq,
  carried: row.carried,
  ...holdsView(row.holds),
  tokens: row.tokens,
  tokens_before: row.tokensBefore,
  tokens_after: row.tokensAfter,
  method: row.method,
  model: row.model,
  author: row.author,
  restored_from: row.restoredFrom,
  withdrawn_at: row.withdrawnAt?.toISOString() ?? null,
  undone_at: row.undoneAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  active: row.generation === thread.generation,
  state: stateOf(row, thread),
});

/** A summary generation in API form. */
export const summaryView = (row: SummaryRow, thread: ThreadRow) => {
  const { [factsField]: facts = '', ...fields } = JSON.parse(row.fields) as Record<string, string>;
  return { ...generationView(row, thread), fields, facts, text: row.text };
};

/** How its tokens are divided. */
export const slotsView = ({ maxTokens, budget, used, free }: SummarySlots) => ({
  slots: { max_tokens: maxTokens, budget, used, free },
});

/** What it kept, in numbers. */
const fidelityNumbers = (fidelity: ShownFidelity) => ({
  score: fidelity.score,
  instructions_kept: fidelity.instructionsKept,
  instructions_total: fidelity.instructionsTotal,
  facts_kept: fidelity.factsKept,
  facts_total: fidelity.factsTotal,
  needs: fidelity.recall?.needs ?? null,
  need_recall: fidelity.recall?.needs ? fidelity.recall.found / fidelity.recall.needs : null,
  needs_through_seq: fidelity.recall?.throughSeq ?? null,
});

export const fidelityView = (fidelity: ShownFidelity | null) => ({
  fidelity: fidelity && fidelityNumbers(fidelity),
});

/** The same with what it lost. */
export const lossesView = (fidelity: ShownFidelity | null) => ({
  fidelity: fidelity && {
    ...fidelityNumbers(fidelity),
    lost: {
      ...fidelity.lost,
      needs: (fidelity.recall?.lost ?? []).map(({ value, label, seq, usedSeq }) => ({
        value,
        label,
        seq,
        used_seq: usedSeq,
      })),
    },
  },
});

/** A summary generation for a caller without `context:read`: without its text. */
export const summaryViewFor = (row: SummaryRow, thread: ThreadRow, caller: CallerRow) =>
  mayRead(caller, 'context:read') ? summaryView(row, thread) : generationView(row, thread);

/** A compaction attempt in API form. */
export const attemptView = (row: AttemptRow) => ({
  id: String(row.epoch),
  outcome: row.outcome,
  reason: row.reason,
  trigger: row.trigger,
  generation: row.generation,
  from_seq: row.fromSeq,
  to_seq: row.toSeq,
  method: row.method,
  model: row.model,
  tokens_before: row.tokensBefore,
  tokens_after: row.tokensAfter,
  ...spendingView(row),
  error: row.error,
  trace_id: row.traceId,
  started_at: row.startedAt.toISOString(),
  duration_ms: row.endedAt === null ? null : row.endedAt.getTime() - row.startedAt.getTime(),
});
