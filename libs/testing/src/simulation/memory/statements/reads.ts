import type { MessageRecord, SummaryRecord } from '../rows.js';
import { byThreadId, byThreadUid, type MemoryStatement } from '../statement.js';
import { rowVersionOf, threadRowOf } from '../thread-row-of.js';

export const readThread: MemoryStatement = {
  of: byThreadId,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    return thread ? [threadRowOf(tables, thread.row)] : [];
  },
};

export const readThreadWithSummary: MemoryStatement = {
  of: byThreadId,
  run: (tables, values) => {
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    const s = thread.summaries.find((summary) => summary.generation === thread.row.generation);
    const summary = {
      sGeneration: s?.generation ?? null,
      sFromSeq: s?.fromSeq ?? null,
      sToSeq: s?.toSeq ?? null,
      sMethod: s?.method ?? null,
      sText: s?.text ?? null,
      sTokens: s?.tokens ?? null,
      sCarried: s?.carried ?? null,
      sClearedThrough: s?.clearedThrough ?? null,
      sHolds: s?.holds ?? null,
      sInstructions: s?.instructions ?? null,
    };
    return [{ ...threadRowOf(tables, thread.row), ...summary, rowVersion: rowVersionOf(tables, thread.row) }];
  },
};

/** Several threads at once: a row each. */
export const readThreadsWithSummary: MemoryStatement = {
  run: (tables, values, ...rest) => {
    const [projectId, ids] = values as [string, string[]];
    return ids.flatMap((id) => readThreadWithSummary.run(tables, [projectId, id], ...rest));
  },
};

/** Messages of a range of seqs, and these in addition. */
const inWindow =
  (columns: (message: MessageRecord) => object): MemoryStatement['run'] =>
  (tables, values) => {
    const [after, through, also] = values.slice(2) as [number, number, number[]];
    const seqs = new Set(also);
    const messages = byThreadUid(tables, values)?.messages ?? [];
    return messages
      .filter(({ seq }) => (seq > after && seq <= through) || seqs.has(seq))
      .filter(({ rewoundBefore }) => rewoundBefore === 0 || rewoundBefore > through)
      .map(columns);
  };

const entryOf = ({ seq, role, tokens, pinned, calls, answers, ...rest }: MessageRecord) => ({
  seq,
  role,
  tokens,
  pinned,
  calls,
  answers,
  format: rest.format,
  images: rest.images,
  hold: rest.hold,
  holdTokens: rest.holdTokens,
  rewoundBefore: rest.rewoundBefore,
});

export const readEntries: MemoryStatement = { of: byThreadUid, run: inWindow(entryOf) };
export const readEntriesWithBodies: MemoryStatement = {
  of: byThreadUid,
  run: inWindow((m) => ({ ...entryOf(m), body: m.body, media: m.media })),
};

/** Several windows at once: their rows, with the position of the window from 1. */
export const readWindows: MemoryStatement = {
  run: (tables, values, ...rest) => {
    const [projectId, uids, after, through, also] = values as [
      string,
      string[],
      number[],
      number[],
      string[],
    ];
    return uids.flatMap((uid, i) => {
      const seqs = JSON.parse(also[i]!.replace('{', '[').replace('}', ']')) as number[];
      const window = [projectId, uid, after[i], through[i], seqs];
      return readEntriesWithBodies.run(tables, window, ...rest).map((row) => ({ n: i + 1, ...row }));
    });
  },
};

export const readBodies: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const seqs = new Set(values[2] as number[]);
    return (byThreadUid(tables, values)?.messages ?? [])
      .filter(({ seq }) => seqs.has(seq))
      .map(({ seq, body, format, media, createdAt, sentAt, rewoundBefore }) => {
        const sent = sentAt === null ? null : new Date(sentAt);
        return { seq, body, format, media, createdAt: new Date(createdAt), sentAt: sent, rewoundBefore };
      });
  },
};

export const readHolds: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) =>
    (byThreadUid(tables, values)?.messages ?? [])
      .filter(({ hold, rewoundBefore }) => hold !== null && hold !== 'release' && rewoundBefore === 0)
      .reverse()
      .slice(0, values[2] as number)
      .map(({ seq, hold, holdTokens }) => ({ seq, hold, tokens: holdTokens })),
};

export const knownMessages: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const ids = new Set(values[2] as string[]);
    return (byThreadUid(tables, values)?.messages ?? [])
      .filter(({ clientId, rewoundBefore }) => clientId !== null && rewoundBefore === 0 && ids.has(clientId))
      .map(({ seq, clientId, hash, role, tokens, body, outputId, format, media }) => {
        return { seq, clientId, hash, role, tokens, body, outputId, format, media };
      });
  },
};

/** The newest summary that was not withdrawn and matches. */
const newestSummary = (isMeant: (summary: SummaryRecord, value: number) => boolean): MemoryStatement => ({
  of: byThreadUid,
  run: (tables, values) => {
    const found = byThreadUid(tables, values)?.summaries.findLast(
      (summary) => summary.withdrawnAt === null && isMeant(summary, values[2] as number),
    );
    if (!found) return [];
    const { generation, fromSeq, toSeq, method, text, tokens, carried, clearedThrough, holds } = found;
    return [{ generation, fromSeq, toSeq, method, text, tokens, carried, clearedThrough, holds }];
  },
});

export const summaryAt = newestSummary(
  ({ undoneAt, visibleFromSeq, toSeq, rewoundBefore }, seq) =>
    undoneAt === null &&
    visibleFromSeq <= seq &&
    toSeq <= seq &&
    (rewoundBefore === 0 || rewoundBefore > seq),
);
export const shownSummary = newestSummary((summary, generation) => summary.generation === generation);

export const leadingAt: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const at = values[2] as number;
    const first = byThreadUid(tables, values)?.messages.find(
      ({ seq, role, rewoundBefore }) =>
        seq <= at && role !== 'system' && role !== 'developer' && (rewoundBefore === 0 || rewoundBefore > at),
    );
    return first ? [{ first: first.seq }] : [];
  },
};

/** The caller takes the lock. Outputs are not held here. */
export const lockSharedOutputs: MemoryStatement = { of: byThreadUid, run: () => [] };

export const lockThread: MemoryStatement = {
  of: byThreadId,
  writes: true,
  run: (tables, values) => {
    const t = byThreadId(tables, values)?.row;
    if (!t) return [];
    const deletedAt = t.deletedAt === null ? null : new Date(t.deletedAt);
    return [{ uid: t.uid, nextSeq: t.nextSeq, deletedAt }];
  },
};

export const behindGeneration: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const summaries = byThreadUid(tables, values)?.summaries ?? [];
    const through = values[2] as number;
    const chain = summaries.find(({ generation }) => generation === through)?.chain;
    const found = summaries.findLast(
      (one) =>
        one.chain === chain &&
        one.generation <= through &&
        one.rewoundBefore === 0 &&
        (one.method === 'caller' ? one.withdrawnAt === null : one.restoredFrom !== null),
    );
    if (!found) return [];
    const { method, generation, toSeq, fields, author, seenSeq, restoredFrom } = found;
    return [{ method, generation, toSeq, fields, author, seenSeq, restoredFrom }];
  },
};

export const withdrawnLast: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const newest = byThreadUid(tables, values)?.summaries.at(-1);
    if (!newest) return [];
    const { generation, withdrawnAt, undoneAt, rewoundBefore } = newest;
    return [{ generation, isWithdrawn: withdrawnAt !== null && undoneAt === null && rewoundBefore === 0 }];
  },
};

export const failureBehind: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const found = byThreadUid(tables, values)?.attempts.findLast(
      ({ generation, reason }) => generation === values[2] && reason !== null,
    );
    return found ? [{ reason: found.reason }] : [];
  },
};

export const failureBefore: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const before = byThreadUid(tables, values)?.attempts.findLast(
      ({ epoch }) => epoch < (values[2] as number),
    );
    return before ? [{ outcome: before.outcome, reason: before.reason }] : [];
  },
};
