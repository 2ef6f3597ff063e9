import type { MessageRecord } from '../rows.js';

/** The values of libs/store/src/sql/messages/append.ts, by name. */
export function appendValues(values: readonly unknown[]) {
  const [projectId, threadId, newUid] = values as [string, string, string];
  const [baseTokens, contextWindow, limitTokens, triggerTokens] = values.slice(3) as number[];
  const [settingsVersion, policyVersion, count, weight, leading] = values.slice(8) as number[];
  return {
    projectId,
    threadId,
    newUid,
    baseTokens: baseTokens!,
    budget: {
      contextWindow: contextWindow!,
      limitTokens: limitTokens!,
      triggerTokens: triggerTokens!,
      summaryEnabled: values[7] as boolean,
    },
    settingsVersion: settingsVersion!,
    policyVersion: policyVersion!,
    count: count!,
    weight: weight!,
    leading: leading!,
    fullTokens: values[23] as number,
    outputs: values[24] as number,
    ahead: aheadOf(values.slice(28) as (number | null)[]),
    ifLastSeq: values[31] as number | null,
    clientIds: (values[32] ?? []) as string[],
  };
}

const aheadOf = ([tokens, makeAfterMs, idleMs]: (number | null)[]) => ({
  tokens: tokens ?? null,
  makeAfterMs: makeAfterMs ?? null,
  idleMs: idleMs ?? null,
});

/** The posted columns as rows that follow `after`. Frozen: nothing may change an original. */
export function postedMessages(values: readonly unknown[], after: number, now: number): MessageRecord[] {
  const at = <T>(column: number, i: number): T => (values[column] as T[])[i]!;
  return (values[20] as string[]).map((body, i) =>
    Object.freeze<MessageRecord>({
      seq: after + i + 1,
      clientId: at(13, i),
      role: at(14, i),
      pinned: at(15, i),
      tokens: at(16, i),
      fullTokens: at(17, i),
      calls: at(18, i),
      answers: at(19, i),
      body,
      hash: at(21, i),
      outputId: at(22, i),
      hold: null,
      holdTokens: null,
      format: at(25, i),
      images: at(26, i),
      media: at(27, i),
      createdAt: now,
      erasedAt: null,
      rewoundBefore: 0,
    }),
  );
}
