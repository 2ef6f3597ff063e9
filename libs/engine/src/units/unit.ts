import { weigh, type Entry } from '../messages/entry.js';

/** One message, or an assistant's tool calls with their results. A context shows the messages of a step together. */
export interface Step {
  /** The message itself, or the calling messages followed by the results the model may see as such. */
  members: Entry[];
  /** Results without a matching open call: shown to the model as notes. */
  notes: Entry[];
  /** For a member that answers several calls: the indexes of results without a matching call, by seq. */
  strays: Map<number, number[]>;
  /** Call ids without a result. At the end of a thread they are open; elsewhere they were abandoned. */
  unanswered: string[];
  /**
   * Ids of further calls with an id that another call of the step has, until each has a result too. A client may repeat
   * a call by mistake and answer it once, so they do not keep the step open.
   */
  repeated: string[];
  /** The user spoke in the message that brought results: calls that are still unanswered then are no longer open. */
  closed: boolean;
}

/**
 * The smallest run of messages that is kept, summarized or left out as a whole. Units are contiguous in seq, so a
 * boundary between two units never separates a call from its result. A unit has several steps only when a result
 * arrived after another step had begun, for example because the user spoke while a tool ran, or because the provider
 * ran a program that called tools.
 */
export interface Unit {
  /** In the order in which a context shows them: by their first message. */
  steps: Step[];
}

/** Whether calls of the newest step still wait for results. */
export const hasOpenCalls = (unit: Unit | undefined): unit is Unit => {
  const step = unit?.steps.at(-1);
  return step !== undefined && step.unanswered.length > 0 && !step.closed;
};

const stepOf = (parts: Partial<Step>): Step => ({
  members: [],
  notes: [],
  strays: new Map(),
  unanswered: [],
  repeated: [],
  closed: false,
  ...parts,
});

const entriesOfStep = (step: Step): Entry[] =>
  step.notes.length === 0 ? step.members : [...step.members, ...step.notes].sort((a, b) => a.seq - b.seq);

/** All messages of a unit, in seq order. */
export const entriesOf = (unit: Unit): Entry[] =>
  unit.steps.length === 1
    ? entriesOfStep(unit.steps[0]!)
    : unit.steps.flatMap(entriesOfStep).sort((a, b) => a.seq - b.seq);
export const firstSeq = (unit: Unit): number => entriesOf(unit)[0]!.seq;
export const lastSeq = (unit: Unit): number => entriesOf(unit).at(-1)!.seq;

/** What a unit weighs in a budget: see `weigh`. */
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
  const units: Unit[] = [];
  for (const entry of entries) {
    const last = units.at(-1);
    const newest = last?.steps.at(-1);
    if (entry.answers.length > 0) {
      const waiting = waitingStep(units, entry);
      if (waiting) join(uniteFrom(units, waiting.unit), waiting.step, entry);
      else if (hasOpenCalls(last)) newest!.notes.push(entry);
      else units.push({ steps: [stepOf({ notes: [entry] })] });
    } else if (newest && takesItems(newest) && entry.item && entry.role === 'assistant') {
      newest.members.push(entry);
      waitFor(newest, entry.calls);
    } else if (newest && isAssistants(newest) && entry.role === 'tool') {
      newest.members.push(entry);
    } else {
      const step = stepOf({ members: [entry] });
      waitFor(step, entry.calls);
      units.push({ steps: [step] });
    }
    if (entry.ran && entry.ran.length > 0) {
      const running = runningUnit(units, entry.ran);
      if (running !== undefined) uniteFrom(units, running);
    }
  }
  return units;
}

/** The oldest unit in which the provider began one of these calls. */
function runningUnit(units: readonly Unit[], ran: readonly string[]): number | undefined {
  const oldest = Math.max(0, units.length - maxUnitsBetween);
  const at = units.slice(oldest).findIndex((unit) => entriesOf(unit).some((one) => runsAny(one, ran)));
  return at < 0 ? undefined : oldest + at;
}

const runsAny = ({ runs = [] }: Entry, ids: readonly string[]): boolean =>
  runs.some((id) => ids.includes(id));

/** Whether the assistant's next item belongs to this step: it has only items, and no result yet. */
const takesItems = (step: Step): boolean =>
  step.notes.length === 0 &&
  step.members.length > 0 &&
  step.members.every((entry) => entry.item && entry.role === 'assistant');

const isAssistants = (step: Step): boolean => step.members[0]?.role === 'assistant';

/** How far back a call is searched, so that a thread of stray results takes linear time. */
const maxUnitsBetween = 64;

/**
 * The step that waits for one of these results: the newest calls, or calls that were made beside them before any result
 * came (two agents on one thread). Users may have spoken since, but no assistant: an assistant that spoke has seen the
 * calls without a result, and its past must not change.
 */
function waitingStep(units: readonly Unit[], result: Entry): { unit: number; step: Step } | undefined {
  let after: Step | undefined;
  const oldest = Math.max(0, units.length - maxUnitsBetween);
  for (let i = units.length - 1; i >= oldest; i--) {
    for (const step of [...units[i]!.steps].reverse()) {
      if (!isAssistants(step)) {
        if (after) return undefined;
        continue;
      }
      if (after && !madeBeside(step, after)) return undefined;
      if (result.answers.some((id) => step.unanswered.includes(id) || step.repeated.includes(id)))
        return { unit: i, step };
      if (step.members.every((entry) => entry.calls.length === 0)) return undefined;
      after = step;
    }
  }
  return undefined;
}

/** Whether the later step was made before the first result of the earlier one. */
const madeBeside = (earlier: Step, later: Step): boolean =>
  earlier.members.every((entry) => entry.answers.length === 0 || entry.seq > later.members[0]!.seq);

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

/** Merges this unit and all after it into one. */
function uniteFrom(units: Unit[], from: number): Unit {
  const unit = units[from]!;
  unit.steps = units.splice(from).flatMap(({ steps }) => steps);
  units.push(unit);
  return unit;
}

/** The first call of an id keeps the step open, further ones with the same id do not. */
function waitFor(step: Step, calls: readonly string[]): void {
  const known = new Set(step.unanswered);
  for (const id of calls) {
    (known.has(id) ? step.repeated : step.unanswered).push(id);
    known.add(id);
  }
}

/** Removes one occurrence of the id. False when there is none. */
function remove(ids: string[], id: string): boolean {
  const at = ids.indexOf(id);
  if (at >= 0) ids.splice(at, 1);
  return at >= 0;
}

function join(unit: Unit, step: Step, result: Entry): void {
  const strays: number[] = [];
  result.answers.forEach((id, index) => {
    if (!remove(step.unanswered, id) && !remove(step.repeated, id)) strays.push(index);
  });
  step.members.push(result);
  if (strays.length > 0) step.strays.set(result.seq, strays);
  if (unit.steps.at(-1) === step) step.closed = result.role === 'user';
}

/** The newest message of the user, which every context shows. */
export function newestUser(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast((entry) => entry.role === 'user');
}

export const isPinned = (unit: Unit): boolean => entriesOf(unit).some((entry) => entry.pinned);
