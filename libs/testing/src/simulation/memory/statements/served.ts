import type { ServedRecord, ThreadTable } from '../rows.js';
import { byThreadId, byThreadUid, type MemoryStatement } from '../statement.js';
import { rowVersionOf } from '../thread-row-of.js';

/** One context for each seq. Names the prompt that no context shows any more. */
export const recordServed: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const [seq, generation, fingerprint, tokens] = values.slice(2) as [number, number, string, number];
    const [promptHash, prompt, frame] = values.slice(6) as [string | null, string | null, string];
    const ifRowVersion = values[9] as string | null;
    const thread = byThreadUid(tables, values);
    if (!thread || thread.row.deletedAt !== null) return [];
    if (ifRowVersion !== null && ifRowVersion !== rowVersionOf(tables, thread.row)) return [];
    const { served, prompts } = thread;
    const replaced = served.get(seq)?.promptHash ?? null;
    served.set(seq, { seq, generation, fingerprint, tokens, promptHash, frame, servedAt: tables.now() });
    if (promptHash !== null && !prompts.has(promptHash)) prompts.set(promptHash, prompt!);
    const isUsed = replaced === promptHash || isShown(thread, replaced);
    return [{ unusedPrompt: isUsed ? null : replaced }];
  },
};

const isShown = ({ served }: ThreadTable, hash: string | null): boolean =>
  [...served.values()].some((one) => one.promptHash === hash);

export const lockRecordsOfThread: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: () => [],
};

export const deleteUnusedPrompt: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values, _seen, undo) => {
    const thread = byThreadUid(tables, values);
    const hash = values[2] as string;
    const text = thread?.prompts.get(hash);
    if (!thread || text === undefined || isShown(thread, hash)) return [];
    thread.prompts.delete(hash);
    undo.push(() => thread.prompts.set(hash, text));
    return [];
  },
};

/** Several at once; what is locked, erased, changed, or shows another prompt than before is passed over. */
export const recordAllServed: MemoryStatement = {
  run: (tables, values, ...rest) => {
    const [projectId, uids, ...columns] = values as [string, string[], ...unknown[][]];
    return uids.flatMap((threadUid, i) => {
      const cells = columns.map((one) => one[i]);
      const [seq, , , , promptHash] = cells;
      const thread = tables.findUid(projectId, threadUid);
      const shown = thread?.served.get(seq as number)?.promptHash ?? null;
      if (!thread || thread.lockedBy !== null || (shown !== null && shown !== promptHash)) return [];
      return recordServed
        .run(tables, [projectId, threadUid, ...cells], ...rest)
        .map(() => ({ threadUid, seq }));
    });
  },
};

export const isStillServed: MemoryStatement = {
  of: byThreadId,
  run: (tables, values) => {
    const [rowVersion, seq, generation, fingerprint, tokens, promptHash, frame] = values.slice(2);
    const thread = byThreadId(tables, values);
    if (!thread || thread.row.deletedAt !== null || rowVersionOf(tables, thread.row) !== rowVersion)
      return [];
    const last = thread.served.get(seq as number);
    const isSame =
      last?.generation === generation &&
      last?.fingerprint === fingerprint &&
      last?.tokens === tokens &&
      last?.promptHash === promptHash &&
      last?.frame === frame;
    return isSame && last && last.servedAt > tables.now() - 60_000 ? [{ seq }] : [];
  },
};

/** Several at once: the positions, from 1, of those that are. */
export const areStillServed: MemoryStatement = {
  run: (tables, values, ...rest) => {
    const [projectId, ...columns] = values as [string, ...unknown[][]];
    return columns[0]!.flatMap((_, i) => {
      const one = [projectId, ...columns.map((column) => column[i])];
      return isStillServed.run(tables, one, ...rest).map(() => ({ n: i + 1 }));
    });
  },
};

export const servedAt: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    const found = thread?.served.get(values[2] as number);
    if (!thread || !found) return [];
    const { promptHash, servedAt: at } = found;
    const prompt = promptHash === null ? null : (thread.prompts.get(promptHash) ?? null);
    return [{ ...servedOf(found), promptHash, prompt, servedAt: new Date(at) }];
  },
};

export const servedThrough: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const thread = byThreadUid(tables, values);
    const through = values[2] as number;
    const wasRewound = (of: number): boolean => {
      const before = thread?.messages.find(({ seq }) => seq === of)?.rewoundBefore ?? 0;
      return before >= 1 && before <= through + 1;
    };
    return [...(thread?.served.values() ?? [])]
      .filter(({ seq }) => seq <= through && !wasRewound(seq))
      .sort((a, b) => b.seq - a.seq)
      .slice(0, 64)
      .map(servedOf);
  },
};

const servedOf = ({ seq, generation, fingerprint, tokens, frame }: ServedRecord) => ({
  seq,
  generation,
  fingerprint,
  tokens,
  frame,
});

export const servedWithFingerprint: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const found = [...(byThreadUid(tables, values)?.served.values() ?? [])]
      .sort((a, b) => b.seq - a.seq)
      .slice(0, 64)
      .find(({ fingerprint }) => fingerprint === values[2]);
    return found ? [{ ...servedOf(found), promptHash: found.promptHash }] : [];
  },
};
