import type { MessageRecord } from '../rows.js';

/** One append, as both of its statements ask for it. */
export interface Asked {
  projectId: string;
  threadId: string;
  /** Null when only a thread that exists is appended to. */
  create: { uid: string; baseTokens: number } | null;
  budget: { contextWindow: number; limitTokens: number; triggerTokens: number; summaryEnabled: boolean };
  settingsVersion: number;
  policyVersion: number;
  count: number;
  weight: number;
  leading: number;
  fullTokens: number;
  outputs: number;
  ahead: { tokens: number | null; makeAfterMs: number | null; idleMs: number | null };
  ifLastSeq: number | null;
  posted: readonly PostedRecord[];
}

export type PostedRecord = Omit<
  MessageRecord,
  'seq' | 'hold' | 'holdTokens' | 'createdAt' | 'erasedAt' | 'rewoundBefore'
>;

/** A column of nulls is null. */
type Cells = readonly (readonly unknown[] | null)[];

/** The columns of posted messages, in the order of libs/store, as rows. */
function postedOf(columns: Cells): PostedRecord[] {
  const [
    clientId,
    role,
    pinned,
    tokens,
    fullTokens,
    calls,
    answers,
    body,
    hash,
    outputId,
    format,
    images,
    media,
    sentAt,
  ] = columns as [string[], ...Cells];
  return (body as string[]).map(
    (text, i) =>
      ({
        clientId: clientId[i],
        role: role![i],
        pinned: pinned![i],
        tokens: tokens![i],
        fullTokens: fullTokens![i],
        calls: calls![i],
        answers: answers![i],
        body: text,
        hash: hash![i],
        outputId: outputId![i],
        format: format![i],
        images: images![i],
        media: media![i],
        sentAt: sentAt?.[i] ?? null,
      }) as PostedRecord,
  );
}

/** The values of libs/store/src/sql/messages/append.ts, by name. */
export function askedOf(values: readonly unknown[]): Asked {
  const [projectId, threadId, uid] = values as [string, string, string];
  const [baseTokens, contextWindow, limitTokens, triggerTokens] = values.slice(3) as [
    number,
    number,
    number,
    number,
  ];
  const [settingsVersion, policyVersion, count, weight, leading] = values.slice(8) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const [tokens, makeAfterMs, idleMs, ifLastSeq] = values.slice(28) as (number | null)[];
  return {
    projectId,
    threadId,
    create: { uid, baseTokens },
    budget: { contextWindow, limitTokens, triggerTokens, summaryEnabled: values[7] as boolean },
    settingsVersion,
    policyVersion,
    count,
    weight,
    leading,
    fullTokens: values[23] as number,
    outputs: values[24] as number,
    ahead: { tokens: tokens!, makeAfterMs: makeAfterMs!, idleMs: idleMs! },
    ifLastSeq: ifLastSeq!,
    posted: postedOf([...values.slice(13, 23), ...values.slice(25, 28), values[32]] as unknown as Cells),
  };
}

/** The values of libs/store/src/sql/messages/append-group.ts: an append each. */
export function askedOfGroup(values: readonly unknown[]): Asked[] {
  const [projectId, ...columns] = values as [string, ...Cells];
  const [append, , ...cells] = columns.slice(15) as [number[], ...Cells];
  const posted = postedOf(cells);
  return columns[0]!.map((threadId, i) => {
    const at = <T>(column: number) => columns[column]![i] as T;
    return {
      projectId,
      threadId: threadId as string,
      create: null,
      budget: {
        contextWindow: at<number>(5),
        limitTokens: at<number>(6),
        triggerTokens: at<number>(7),
        summaryEnabled: at<boolean>(8),
      },
      settingsVersion: at<number>(9),
      policyVersion: at<number>(10),
      count: at<number>(1),
      weight: at<number>(2),
      leading: at<number>(3),
      fullTokens: at<number>(4),
      outputs: 0,
      ahead: {
        tokens: at<number | null>(11),
        makeAfterMs: at<number | null>(12),
        idleMs: at<number | null>(13),
      },
      ifLastSeq: at<number | null>(14),
      posted: posted.filter((_, j) => append[j] === i + 1),
    };
  });
}

/** The posted messages as rows that follow `after`. Frozen: nothing may change an original. */
export const recordsOf = (posted: readonly PostedRecord[], after: number, now: number): MessageRecord[] =>
  posted.map((message, i) =>
    Object.freeze<MessageRecord>({
      seq: after + i + 1,
      ...message,
      hold: null,
      holdTokens: null,
      createdAt: now,
      erasedAt: null,
      rewoundBefore: 0,
    }),
  );
