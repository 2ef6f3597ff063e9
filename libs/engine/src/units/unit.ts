import { weigh, type Entry } from '../messages/entry.js';
import { Grouping } from './grouping.js';
import { isAssistants, type Step, type Unit } from './step.js';

export type { Step, Unit } from './step.js';

/** Whether calls of the newest step still wait for results. */
export const hasOpenCalls = (unit: Unit | undefined): unit is Unit => {
  const step = unit?.steps.at(-1);
  return step !== undefined && step.unanswered.length > 0 && !step.closed;
};

const entriesOfStep = (step: Step): Entry[] =>
  step.notes.length === 0 ? step.members : [...step.members, ...step.notes].sort((a, b) => a.seq - b.seq);

/** All messages of a unit, in seq order. */
export const entriesOf = (unit: Unit): Entry[] =>
  unit.steps.length === 1
    ? entriesOfStep(unit.steps[0]!)
    : unit.steps.flatMap(entriesOfStep).sort((a, b) => a.seq - b.seq);
export const firstSeq = (unit: Unit): number => entriesOf(unit)[0]!.seq;
export const lastSeq = (unit: Unit): number => entriesOf(unit).at(-1)!.seq;

/** The weight of a unit in a budget: see `weigh`. */
export const unitWeight = (unit: Unit, limit: number): number =>
  entriesOf(unit).reduce((sum, entry) => sum + weigh(entry, limit), 0);

/** Whether the unit contains a message of the user without results. */
export const startsTurn = (unit: Unit): boolean =>
  unit.steps.some((step) => step.members[0]?.role === 'user');

/**
 * Groups messages (in seq order) into units. A result joins the step that waits for it. A result that comes twice,
 * without a call, or after the assistant continued without it becomes a note. The items of one step (reasoning, text,
 * parallel calls) form one step with the results that follow them.
 *
 * Below, u and a are messages, c1 is a call, r1 its result and i an item. Brackets are units, a bar divides steps.
 *
 *     u a           [u] [a]                messages
 *     c1c2 r1 r2    [c1c2 r1 r2]           results join their calls
 *     c1c1 r1 r1    [c1c1 r1 r1]           also where two calls have one id
 *     c1 u r1       [c1 r1 | u]            the user spoke while the tool ran
 *     c1 c2 r1 r2   [c1 r1 | c2 r2]        two agents called side by side
 *     i ic1 r1 i    [i ic1 r1] [i]         items up to the first result are one step
 *     c1 r1 r1      [c1 r1] [note r1]      a result comes twice
 *     c1c2 r1 r1    [c1c2 r1, note r1]     the same while c2 waits for its result
 *     u r9          [u] [note r9]          a result without a call
 *     c1 a r1       [c1] [a] [note r1]     the assistant continued without the result
 *     c1 t r1       [c1 t r1]              a tool message without results: the AI SDK's approval of a call
 *     p1c1 r1 e1    [p1c1 r1 | e1]         a call that the provider runs, and the message that has its result
 */
export function groupUnits(entries: readonly Entry[]): Unit[] {
  const grouping = new Grouping();
  for (const entry of entries) grouping.add(entry);
  return grouping.units();
}

/**
 * How many of the newest units a result may still come for: from the calls that no result has answered and no assistant
 * has gone on without, or from a call that the provider still runs. 0 when none wait.
 */
export function waitingUnits(units: readonly Unit[]): number {
  const newest = units.findLastIndex(({ steps }) => steps.some(isAssistants));
  const step = units[newest]?.steps.findLast(isAssistants);
  const waiting = step && step.unanswered.length > 0 ? units.length - newest : 0;
  return Math.max(waiting, runningUnits(units));
}

/** The same for calls that the provider runs. It takes none up again once the user spoke. */
function runningUnits(units: readonly Unit[]): number {
  const ended = new Set<string>();
  const turn = units.findLastIndex(startsTurn) + 1;
  let oldest = units.length;
  for (let i = units.length - 1; i >= turn; i--)
    for (const { runs = [], ran = [] } of entriesOf(units[i]!).toReversed()) {
      if (runs.some((id) => !ended.has(id))) oldest = i;
      for (const id of ran) ended.add(id);
    }
  return units.length - oldest;
}

/** The newest message of the user, which every context shows. */
export function newestUser(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast((entry) => entry.role === 'user');
}

export const isPinned = (unit: Unit): boolean => entriesOf(unit).some((entry) => entry.pinned);
