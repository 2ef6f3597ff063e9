import type { Entry } from '../messages/entry.js';
import { OpenCalls } from './open-calls.js';
import { isAssistants, type Step, type Unit } from './step.js';

/** A step while messages may still join it. */
interface GrowingStep extends Pick<Step, 'members' | 'notes' | 'strays' | 'closed'> {
  /** Null without calls. */
  open: OpenCalls | null;
  /** It has the assistant's items alone, so the next one belongs to it. */
  takesItems: boolean;
  hasResults: boolean;
  /** The first of the assistants' steps in a row that were made beside each other, up to this one. */
  besideFrom: number;
}

/** How many units back a call is searched. */
const maxUnitsBetween = 64;

/**
 * Groups messages into units, see `groupUnits`. Steps are in one list and a unit is a range of it, so that uniting units
 * moves nothing, and calls are found by their ids: each message takes time that depends on its own calls and results
 * alone, however many of them wait.
 */
export class Grouping {
  private readonly steps: GrowingStep[] = [];
  /** The first step of each unit. */
  private readonly starts: number[] = [];
  /** The newest step of the assistant. */
  private newestOfAssistant = -1;
  /** The steps in which a call of this id is open, in order. */
  private readonly waiting = new Map<string, number[]>();
  /** Steps with which calls of this id that the provider runs began, in order: each in the unit of its call. */
  private readonly running = new Map<string, number[]>();

  add(entry: Entry): void {
    this.place(entry);
    for (const id of entry.runs ?? []) listOf(this.running, id).push(this.steps.length - 1);
    const began = this.oldestRunning(entry.ran ?? []);
    if (began !== undefined) this.uniteFrom(began);
  }

  units(): Unit[] {
    const steps = this.steps.map(({ members, notes, strays, closed, open }): Step => ({
      members,
      notes,
      strays,
      unanswered: open?.unanswered() ?? [],
      repeated: open?.repeated() ?? [],
      closed,
    }));
    return this.starts.map((start, i) => ({ steps: steps.slice(start, this.starts[i + 1]) }));
  }

  private place(entry: Entry): void {
    const newest = this.steps.at(-1);
    if (entry.answers.length > 0) this.placeResult(entry, newest);
    else if (newest?.takesItems && isItem(entry)) {
      newest.members.push(entry);
      this.waitFor(newest, this.steps.length - 1, entry.calls);
    } else if (newest && isAssistants(newest) && entry.role === 'tool') {
      newest.members.push(entry);
      newest.takesItems = false;
    } else this.begin(entry);
  }

  private placeResult(entry: Entry, newest: GrowingStep | undefined): void {
    const step = this.waitingStep(entry);
    if (step !== undefined) {
      this.uniteFrom(step);
      this.join(step, entry);
    } else if (newest?.open && newest.open.size > 0 && !newest.closed) {
      newest.notes.push(entry);
      newest.takesItems = false;
    } else {
      this.push({ ...emptyStep(), notes: [entry] });
    }
  }

  /** Begins a step, and a unit with it. */
  private begin(entry: Entry): void {
    const at = this.steps.length;
    const step = { ...emptyStep(), members: [entry], takesItems: isItem(entry), besideFrom: at };
    const before = this.steps[at - 1];
    if (isAssistants(step)) {
      // No result came before this step, so both were made without seeing the other's.
      if (before && isAssistants(before) && before.open && !before.hasResults)
        step.besideFrom = before.besideFrom;
      this.newestOfAssistant = at;
    }
    this.push(step);
    this.waitFor(step, at, entry.calls);
  }

  private push(step: GrowingStep): void {
    this.starts.push(this.steps.length);
    this.steps.push(step);
  }

  /** The first call of an id keeps the step open, further ones with the same id do not. */
  private waitFor(step: GrowingStep, at: number, calls: readonly string[]): void {
    for (const id of calls) {
      step.open ??= new OpenCalls();
      if (!step.open.has(id) && isAssistants(step)) listOf(this.waiting, id).push(at);
      step.open.add(id);
    }
  }

  /**
   * The step that waits for one of these results: the newest calls, or calls that were made beside them before any result
   * came (two agents on one thread). Users may have spoken since, but no assistant: an assistant that spoke has seen the
   * calls without a result, and its past must not change.
   */
  private waitingStep({ answers }: Entry): number | undefined {
    const newest = this.steps[this.newestOfAssistant];
    if (!newest) return undefined;
    const oldestUnit = Math.max(0, this.starts.length - maxUnitsBetween);
    const oldest = Math.max(
      this.starts[oldestUnit]!,
      newest.open ? newest.besideFrom : this.newestOfAssistant,
    );
    let found: number | undefined;
    for (const id of answers) {
      const step = this.waiting.get(id)?.at(-1) ?? -1;
      if (step >= oldest && step > (found ?? -1)) found = step;
    }
    return found;
  }

  private join(at: number, result: Entry): void {
    const step = this.steps[at]!;
    const strays: number[] = [];
    result.answers.forEach((id, index) => {
      if (!step.open!.answer(id)) strays.push(index);
      else if (!step.open!.has(id)) this.waiting.get(id)!.pop();
    });
    step.members.push(result);
    step.takesItems &&= isItem(result);
    step.hasResults = true;
    if (strays.length > 0) step.strays.set(result.seq, strays);
    if (at === this.steps.length - 1) step.closed = result.role === 'user';
  }

  /** The oldest step in whose unit the provider began one of these calls, within the units that are searched. */
  private oldestRunning(ran: readonly string[]): number | undefined {
    if (ran.length === 0) return undefined;
    const from = this.starts[Math.max(0, this.starts.length - maxUnitsBetween)]!;
    const steps = ran.flatMap((id) => firstFrom(this.running.get(id) ?? [], from) ?? []);
    return steps.length === 0 ? undefined : steps.reduce((oldest, step) => Math.min(oldest, step));
  }

  /** Merges the unit of this step and all after it into one. */
  private uniteFrom(step: number): void {
    while (this.starts.at(-1)! > step) this.starts.pop();
  }
}

const emptyStep = (): GrowingStep => ({
  members: [],
  notes: [],
  strays: new Map(),
  closed: false,
  open: null,
  takesItems: false,
  hasResults: false,
  besideFrom: 0,
});

const isItem = (entry: Entry): boolean => entry.item && entry.role === 'assistant';

function listOf(lists: Map<string, number[]>, id: string): number[] {
  const known = lists.get(id);
  if (known) return known;
  const list: number[] = [];
  lists.set(id, list);
  return list;
}

/** The first number from `least` on of an ascending list. */
function firstFrom(list: readonly number[], least: number): number | undefined {
  let low = 0;
  for (let high = list.length; low < high;) {
    const middle = (low + high) >> 1;
    if (list[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return list[low];
}
