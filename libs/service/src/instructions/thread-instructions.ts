import {
  instructionsIn,
  newestFound,
  readMessage,
  seqMessage,
  withStates,
  type Entry,
  type Instruction,
  type InstructionWithState,
} from '@spillway/engine';
import {
  maxInstructions,
  readBodies,
  readEntries,
  readInstructions,
  type InstructionRow,
  type ThreadRow,
} from '@spillway/store';
import { entryOf, storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';

/** What the user of a thread asked for from now on. */
export interface ThreadInstructions {
  /** In the order of the thread, with their states. */
  all: InstructionWithState[];
  /** Those found in messages that no fold has read yet; of very many the newest. */
  found: Instruction[];
  /** When the stored ones were stored, by id. */
  storedAt: ReadonlyMap<string, Date>;
}

/** Messages read at a time. */
const messagesAtOnce = 20;
/** Those found are thinned out when they are more than this. */
const maxFoundAtOnce = 2 * (maxInstructions.instructions + maxInstructions.possible);

/**
 * The instructions of a thread: those that folds stored, and those of the messages after `readThrough`, which no fold
 * has read. `known` is what was read already; its entries may be of other messages.
 */
export async function readThreadInstructions(
  rt: Runtime,
  row: Pick<ThreadRow, 'projectId' | 'uid' | 'headSeq' | 'leadingThrough'>,
  readThrough: number,
  known: { entries?: readonly Entry[]; stored?: InstructionRow[] } = {},
): Promise<ThreadInstructions> {
  const rows = known.stored ?? (await readInstructions(rt.store.query, row.projectId, row.uid));
  const after = Math.max(readThrough, row.leadingThrough);
  const entries = (known.entries ?? []).filter(({ seq }) => seq > after);
  const areAll = entries.length === row.headSeq - after;
  const window = { projectId: row.projectId, threadUid: row.uid, after, through: row.headSeq, also: [] };
  const unread = areAll ? entries : (await readEntries(rt.store.query, window)).map(entryOf);
  const seqs = unread.filter(({ role }) => role !== 'assistant' && role !== 'tool').map(({ seq }) => seq);
  let found: Instruction[] = [];
  for (let i = 0; i < seqs.length; i += messagesAtOnce) {
    const block = seqs.slice(i, i + messagesAtOnce);
    for (const body of await readBodies(rt.store.query, row.projectId, row.uid, block)) {
      const inMessage = instructionsIn(seqMessage(body.seq, readMessage(storedOf(body))));
      for (const one of inMessage) found.push(one);
    }
    if (found.length > maxFoundAtOnce) found = newestFound(found, maxInstructions);
  }
  found = newestFound(found, maxInstructions);
  const stored = rows.map(instructionOf);
  const ids = new Set(stored.map(({ id }) => id));
  return {
    all: withStates([...stored, ...found.filter(({ id }) => !ids.has(id))]),
    found,
    storedAt: new Map(rows.map(({ id, createdAt }) => [id, createdAt])),
  };
}

const instructionOf = (row: InstructionRow): Instruction => ({
  id: row.id,
  seq: row.seq,
  participant: row.participant,
  text: row.text,
  kind: row.kind as Instruction['kind'],
  source: row.source,
  decision: row.decision === null ? null : { state: row.decision, atSeq: row.decidedSeq ?? row.seq },
});
