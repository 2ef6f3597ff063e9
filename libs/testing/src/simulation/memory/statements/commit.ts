import type { InstructionRecord } from '../rows.js';
import { byThreadUid, type MemoryStatement } from '../statement.js';

/** The values of libs/store/src/sql/compaction/commit.ts, by what they stand for. */
function commitValues(values: readonly unknown[]) {
  const [epoch, chain, generation, coveredThrough, contentVersion] = values.slice(2) as number[];
  const [fromSeq, toSeq] = values.slice(8) as [number, number];
  const [fields, text] = values.slice(11) as [string, string];
  const [tokens, atClaim, tokensBefore, tokensAfter] = values.slice(13) as number[];
  const [method, model, clearedThrough] = values.slice(17) as [string, string | null, number];
  return {
    epoch,
    seen: { chain, generation, coveredThrough, contentVersion },
    request: values[20] as string | null,
    newChain: values[7] as boolean,
    adopted: values[21] === null ? null : adoptedOf(values.slice(21) as number[]),
    atClaim: atClaim!,
    liveTokensAfter: values[25] as number,
    prepared: values[30] as number | null,
    seenSeq: values[35] as number,
    failure: values[36] as string | null,
    restoredFrom: values[37] as number | null,
    recall: values[34] === null ? null : (JSON.parse(values[34] as string) as object),
    weighedBy: values.slice(26) as [number, number],
    found: JSON.parse(values[28] as string) as Pick<
      InstructionRecord,
      'id' | 'seq' | 'participant' | 'text' | 'kind'
    >[],
    summary: {
      fromSeq,
      toSeq,
      carried: [...(values[10] as number[])],
      clearedThrough,
      fields,
      text,
      tokens: tokens!,
      tokensBefore: tokensBefore!,
      tokensAfter: tokensAfter!,
      method,
      model,
      instructions: values[29] as string,
      holds: values[31] as string | null,
      author: values[32] as string | null,
      fidelity: JSON.parse(values[33] as string) as object,
    },
  };
}

const adoptedOf = ([calibration, limitTokens, triggerTokens, policyVersion]: number[]) => ({
  policyVersion: policyVersion!,
  budget: { calibration: calibration!, limitTokens: limitTokens!, triggerTokens: triggerTokens! },
});

export const commit: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    const {
      epoch,
      seen,
      request,
      newChain,
      atClaim,
      liveTokensAfter,
      weighedBy,
      summary,
      adopted,
      found,
      prepared,
      recall,
      seenSeq,
      failure,
      restoredFrom,
    } = commitValues(values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const { row: t } = thread;
    if (t.chain !== seen.chain || t.generation !== seen.generation) return [];
    if (t.coveredThrough !== seen.coveredThrough || t.contentVersion !== seen.contentVersion) return [];
    const isStillPrepared = t.preparedGeneration === prepared && t.preparedState === 'prepared';
    if (prepared !== null && !isStillPrepared) return [];
    if (summary.author === null && tables.isPaused(t.projectId)) return [];
    if (newChain) t.chain = t.lastChain = t.lastChain + 1;
    if (prepared === null) t.lastGeneration++;
    t.generation = prepared ?? t.lastGeneration;
    t.coveredThrough = summary.toSeq;
    t.liveTokens = Math.max(t.liveTokens + liveTokensAfter - atClaim, liveTokensAfter);
    if (t.policyVersion !== weighedBy[0] || t.weighedVersion !== weighedBy[1]) t.weighedVersion = 0;
    if (adopted?.policyVersion === t.policyVersion) {
      Object.assign(t, adopted.budget, { policyVersion: t.policyVersion + 1, weighedVersion: 0 });
    }
    const isAskedFor = t.request !== request;
    t.needsCompaction = isAskedFor || (t.summaryEnabled && t.liveTokens >= t.triggerTokens);
    t.requestedAt = t.needsCompaction ? tables.now() : null;
    if (t.leaseEpoch === epoch || summary.author !== null) t.leaseUntil = null;
    if (!isAskedFor) t.request = null;
    Object.assign(t, { attempt: 0, lostAttempts: 0, nextAttemptAt: null, prepareAt: null });
    Object.assign(t, { lastError: null, parkReason: null, updatedAt: tables.now() });
    const { generation, chain } = t;
    // Records may be shared with readers: they are replaced, not changed.
    if (recall !== null)
      thread.summaries = thread.summaries.map((one) =>
        one.generation === seen.generation && one.fidelity !== null
          ? { ...one, fidelity: { ...one.fidelity, recall } }
          : one,
      );
    thread.summaries.push({
      projectId: t.projectId,
      threadUid: t.uid,
      generation,
      chain,
      asOfSeq: t.nextSeq - 1,
      seenSeq: summary.author === null || restoredFrom !== null ? seenSeq : t.nextSeq - 1,
      visibleFromSeq:
        request === null && summary.author === null && t.rewoundTo === null ? t.nextSeq - 1 : t.nextSeq,
      restoredFrom,
      replaces: seen.generation,
      undoneAt: null,
      withdrawnAt: null,
      rewoundBefore: 0,
      ...summary,
    });
    for (const { id, seq, participant, text, kind } of found) {
      if (thread.instructions.has(id)) continue;
      const undecided = { source: 'found', decision: null, decidedSeq: null, createdAt: tables.now() };
      thread.instructions.set(id, { id, seq, participant, text, kind, ...undecided });
    }
    const attempt = thread.attempts.find((one) => one.epoch === epoch);
    const { fromSeq, toSeq, method, model, tokensBefore, tokensAfter } = summary;
    const came = { generation, fromSeq, toSeq, method, model, tokensBefore, tokensAfter };
    if (attempt) Object.assign(attempt, came, { outcome: 'compacted', reason: failure });
    tables.touched.add(thread);
    return [{ generation, stillDue: t.needsCompaction, mustBeWeighed: t.weighedVersion === 0 }];
  },
};
