import { isSystem, type Entry } from './entry.js';

/**
 * The smallest run of messages that may be kept, summarized or left out: one message, or an assistant's tool
 * calls with their results. Units are contiguous in seq, so a boundary between two units never separates a call
 * from its result.
 */
export interface Unit {
  /** The message itself, or the calling assistant message followed by the results the model may see as such. */
  members: Entry[];
  /** Results that answer nothing here (no such call, or answered before): shown to the model as notes. */
  notes: Entry[];
  /** Call ids that have no result. At the very end of a thread they are open; elsewhere they were abandoned. */
  unanswered: string[];
}

export const firstSeq = (unit: Unit): number => (unit.members[0] ?? unit.notes[0])!.seq;
export const lastSeq = (unit: Unit): number =>
  Math.max(unit.members.at(-1)?.seq ?? 0, unit.notes.at(-1)?.seq ?? 0);
export const entriesOf = (unit: Unit): Entry[] =>
  unit.notes.length === 0 ? unit.members : [...unit.members, ...unit.notes].sort((a, b) => a.seq - b.seq);

const isPending = (unit: Unit | undefined): unit is Unit => unit !== undefined && unit.unanswered.length > 0;

/**
 * Groups messages (in seq order) into units. A result joins its call as long as only results stand between them,
 * which is what every provider demands; a result that comes later, twice, or without a call becomes a note.
 */
export function groupUnits(entries: readonly Entry[]): Unit[] {
  const units: Unit[] = [];
  for (const entry of entries) {
    const last = units.at(-1);
    if (entry.role !== 'tool') {
      units.push({ members: [entry], notes: [], unanswered: [...new Set(entry.calls)] });
    } else if (isPending(last)) {
      join(last, entry);
    } else {
      units.push({ members: [], notes: [entry], unanswered: [] });
    }
  }
  return units;
}

function join(unit: Unit, result: Entry): void {
  const at = unit.unanswered.indexOf(result.answers ?? '');
  if (at < 0) {
    unit.notes.push(result);
  } else {
    unit.members.push(result);
    unit.unanswered.splice(at, 1);
  }
}

/** The newest message of the user, which every context shows. */
export function newestUser(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast((entry) => entry.role === 'user');
}

/** Units that may never leave a context: they hold a pinned or a leading system message. */
export const isProtected = (unit: Unit): boolean =>
  entriesOf(unit).some((entry) => entry.pinned || (isSystem(entry) && entry.seq === 1));
