import type { InstructionRecord } from '../rows.js';
import { byThreadUid, type MemoryStatement } from '../statement.js';

const rowOf = (record: InstructionRecord) => ({ ...record, createdAt: new Date(record.createdAt) });
const isPossible = ({ kind, decision }: InstructionRecord): boolean =>
  kind === 'possible' && decision === null;
const isOpen = (record: InstructionRecord): number => Number(record.decision === null);

/** Each text where it comes first, then the others; what was decided stays in front. */
function repeatsLast(rows: readonly InstructionRecord[]): InstructionRecord[] {
  const firsts = new Set(
    new Map(rows.map((one) => [`${isOpen(one)} ${one.text}`, one] as const).reverse()).values(),
  );
  const isAgain = (one: InstructionRecord): number => Number(!firsts.has(one));
  return [...rows].sort((a, b) => isOpen(a) - isOpen(b) || isAgain(a) - isAgain(b));
}

export const readInstructions: MemoryStatement = {
  of: byThreadUid,
  run: (tables, values) => {
    const all = [...(byThreadUid(tables, values)?.instructions.values() ?? [])].sort(
      (a, b) => isOpen(a) - isOpen(b) || b.seq - a.seq || (a.id < b.id ? 1 : -1),
    );
    const binding = all.filter((one) => !isPossible(one));
    return [
      ...repeatsLast(binding).slice(0, values[2] as number),
      ...all.filter(isPossible).slice(0, values[3] as number),
    ].map(rowOf);
  },
};

export const decideInstruction: MemoryStatement = {
  of: byThreadUid,
  writes: true,
  run: (tables, values) => {
    const contentVersion = values[2] as number;
    const [id, seq, text, kind, source, decision, participant] = values.slice(3) as [
      string,
      number,
      string,
      string,
      string,
      string,
      string | null,
    ];
    const thread = byThreadUid(tables, values);
    if (!thread || thread.row.deletedAt !== null || thread.row.contentVersion !== contentVersion) return [];
    const known = thread.instructions.get(id) ?? {
      id,
      seq,
      participant,
      text,
      kind,
      source,
      createdAt: tables.now(),
    };
    const decided = { ...known, decision, decidedSeq: thread.row.nextSeq - 1 };
    thread.instructions.set(id, decided);
    return [rowOf(decided)];
  },
};
