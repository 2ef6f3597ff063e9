import { byThreadId, type MemoryStatement } from '../statement.js';
import type { MessageRecord, SummaryRecord } from '../rows.js';

/** The summaries derived from these: folded or restored from them. */
function withAllMadeFrom(all: readonly SummaryRecord[], first: readonly SummaryRecord[]): Set<SummaryRecord> {
  const found = new Set(first);
  for (const one of found) {
    for (const other of all) {
      const isFolded = other.chain === one.chain && other.generation > one.generation;
      if (isFolded || other.restoredFrom === one.generation) found.add(other);
    }
  }
  return found;
}

/** Whether a summary covers a message that was not rewound before it was made, or its maker saw it beside that. */
function wasMadeFrom(
  { fromSeq, toSeq, asOfSeq, seenSeq }: SummaryRecord,
  messages: readonly MessageRecord[],
  seq: number,
): boolean {
  const rewound = messages.find((one) => one.seq === seq)?.rewoundBefore ?? 0;
  const mayTell = fromSeq <= seq && seq <= Math.max(toSeq, seenSeq);
  return mayTell && !(rewound >= 1 && rewound <= asOfSeq);
}

export const withdraw: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const [generation, seq] = values.slice(2) as [number | null, number | null];
    const [contentVersion, seenLive, active, alone, delta] = values.slice(4) as number[];
    const [body, tokens, hash] = values.slice(9) as [string, number, Buffer];
    const policyVersion = values[12] as number;
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    if (t.contentVersion !== contentVersion || t.generation !== active) return [];
    if (t.policyVersion !== policyVersion) return [];
    const first = thread.summaries.filter(
      (one) => one.generation === generation || (seq !== null && wasMadeFrom(one, thread.messages, seq)),
    );
    const withdrawn = withAllMadeFrom(thread.summaries, first);
    const isActive = [...withdrawn].some((one) => one.generation === active);
    t.contentVersion++;
    t.updatedAt = tables.now();
    const without = Math.max(t.liveTokens - seenLive! + alone!, alone!);
    t.liveTokens = isActive ? without : t.liveTokens + delta!;
    const erased = thread.messages.find((one) => one.seq === seq && one.rewoundBefore === 0);
    if (erased) t.totalTokens += tokens - erased.fullTokens;
    if (isActive) {
      t.chain = t.lastChain = t.lastChain + 1;
      Object.assign(t, {
        generation: 0,
        coveredThrough: 0,
        parkReason: null,
        nextAttemptAt: null,
        attempt: 0,
      });
      t.needsCompaction = t.request !== null || (t.summaryEnabled && t.liveTokens >= t.triggerTokens);
      t.requestedAt = t.needsCompaction ? tables.now() : null;
    }
    // Records may be shared with readers: they are replaced, not changed.
    if (seq !== null) {
      t.lastError = null;
      thread.attempts = thread.attempts.map((one) => ({ ...one, error: null }));
    }
    thread.summaries = thread.summaries.map((one) =>
      withdrawn.has(one)
        ? {
            ...one,
            withdrawnAt: one.withdrawnAt ?? tables.now(),
            ...(seq === null ? {} : { fields: '{}', text: '', fidelity: null }),
          }
        : one,
    );
    thread.messages = thread.messages.map((one) =>
      one.seq === seq
        ? {
            ...one,
            ...{ body, tokens, fullTokens: tokens, hash, media: null, images: 0, outputId: null },
            ...{ hold: null, holdTokens: null },
            erasedAt: one.erasedAt ?? tables.now(),
          }
        : one,
    );
    for (const one of thread.instructions.values())
      if (one.seq === seq && one.source === 'found') thread.instructions.delete(one.id);
    tables.touched.add(thread);
    const generations = [...withdrawn].map((one) => one.generation);
    return [{ generations, isDue: isActive && t.needsCompaction }];
  },
};
