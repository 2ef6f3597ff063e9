import type { Entry } from './entry.js';
import { isSystem } from './role.js';

/**
 * The smallest run of messages that may be kept, summarized or left out: one message, or an assistant's tool
 * calls with their results. Units are contiguous in seq, so a boundary between two units never separates a call
 * from its result.
 */
export interface Unit {
  /** The message itself, or the calling step followed by the results the model may see as such. */
  members: Entry[];
  /** Results that answer nothing here (no such call, or answered before): shown to the model as notes. */
  notes: Entry[];
  /** Of a member that answers several calls: the places of results that answer nothing here, by seq. */
  strays: Map<number, number[]>;
  /** Call ids that have no result. At the very end of a thread they are open; elsewhere they were abandoned. */
  unanswered: string[];
  /** The user spoke in the message that brought results: what is still unanswered then will not be. */
  closed: boolean;
}

/** Are calls of this unit still being worked on? */
export const isOpen = (unit: Unit | undefined): unit is Unit =>
  unit !== undefined && unit.unanswered.length > 0 && !unit.closed;

const unitOf = (parts: Partial<Unit>): Unit => ({
  members: [],
  notes: [],
  strays: new Map(),
  unanswered: [],
  closed: false,
  ...parts,
});

export const firstSeq = (unit: Unit): number => (unit.members[0] ?? unit.notes[0])!.seq;
export const lastSeq = (unit: Unit): number =>
  Math.max(unit.members.at(-1)?.seq ?? 0, unit.notes.at(-1)?.seq ?? 0);
export const entriesOf = (unit: Unit): Entry[] =>
  unit.notes.length === 0 ? unit.members : [...unit.members, ...unit.notes].sort((a, b) => a.seq - b.seq);

/**
 * Groups messages (in seq order) into units. A result joins its call as long as only results stand between them,
 * which is what every provider demands; a result that comes later, twice, or without a call becomes a note. The
 * items of one step (reasoning, text, parallel calls) are one unit with the results that follow them.
 */
export function groupUnits(entries: readonly Entry[]): Unit[] {
  const units: Unit[] = [];
  for (const entry of entries) {
    const last = units.at(-1);
    if (entry.answers.length > 0) {
      if (isOpen(last)) join(last, entry);
      else units.push(unitOf({ notes: [entry] }));
    } else if (last && isOpenStep(last) && entry.item && entry.role === 'assistant') {
      last.members.push(entry);
      last.unanswered = [...new Set([...last.unanswered, ...entry.calls])];
    } else {
      units.push(unitOf({ members: [entry], unanswered: [...new Set(entry.calls)] }));
    }
  }
  return units;
}

/** Items of a step, with no result among them yet. */
const isOpenStep = (unit: Unit): boolean =>
  unit.notes.length === 0 &&
  unit.members.length > 0 &&
  unit.members.every((entry) => entry.item && entry.role === 'assistant');

function join(unit: Unit, result: Entry): void {
  const strays: number[] = [];
  result.answers.forEach((id, place) => {
    const at = unit.unanswered.indexOf(id);
    if (at < 0) strays.push(place);
    else unit.unanswered.splice(at, 1);
  });
  if (strays.length === result.answers.length) {
    unit.notes.push(result);
    return;
  }
  unit.members.push(result);
  if (strays.length > 0) unit.strays.set(result.seq, strays);
  unit.closed = result.role === 'user';
}

/** The newest message of the user, which every context shows. */
export function newestUser(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast((entry) => entry.role === 'user');
}

/** Units that may never leave a context: they hold a pinned or a leading system message. */
export const isProtected = (unit: Unit): boolean =>
  entriesOf(unit).some((entry) => entry.pinned || (isSystem(entry) && entry.seq === 1));
