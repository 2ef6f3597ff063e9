import type { Budget } from './budget.js';
import { conversationOverhead } from '../context/context.js';
import type { MessageCounter } from '../tokens/count-message.js';
import { weigh, type Entry } from '../messages/entry.js';
import type { Policy } from '../policy/policy.js';
import { holdsOf, keptUnits, keptWeight, type Holds } from '../units/holds.js';
import { clearedThrough, reduceEntries } from '../context/reduce.js';
import { keepNewest } from './retention.js';
import { separatorTokens } from '../context/separators.js';
import {
  entriesOf,
  groupUnits,
  isPinned,
  lastSeq,
  newestUser,
  unitWeight,
  waitingUnits,
  type Unit,
} from '../units/unit.js';

/** The input of a plan: the current entries of a thread, read in one snapshot. */
export interface PlanInput {
  policy: Policy['context'];
  budget: Budget;
  /** Counts what a context inserts between its messages. */
  counter: MessageCounter;
  /** Tokens of what is sent beside the messages: the system prompt, the tools, what a request adds. */
  systemTokens: number;
  /** The system messages the thread starts with. */
  leading: readonly Entry[];
  /** Covered messages that the active summary carries verbatim. */
  carried: readonly Entry[];
  /** Other covered messages that a caller keeps, in whole units. */
  kept?: readonly Entry[];
  /** Tokens of the active summary, 0 without one. */
  summaryTokens: number;
  /** The last seq that the active summary covers. */
  coveredThrough: number;
  /** Messages after it, in seq order. */
  recent: readonly Entry[];
  /** Tokens that the standing instructions take at the head of the next summary; 0 without any. */
  instructionTokens?: number;
  /** Tokens that possible instructions would take beside them. They get only what would stay free, and move no cut. */
  possibleTokens?: number;
  /** A manual request: min_reclaim_ratio does not apply. */
  manual: boolean;
  /**
   * The summary is a caller's own, which is put in place again as it is, whatever stays beside it and even where it is
   * longer than what it replaces.
   */
  isWritten?: boolean;
}

export interface CompactionPlan {
  kind: 'compact';
  fromSeq: number;
  toSeq: number;
  /** Seqs within 1..toSeq that every context of this generation shows verbatim. */
  carried: number[];
  /** Seqs in the range that the summarizer reads. */
  summarize: number[];
  /** Maximum tokens of the summary without its instructions. It must be shorter than what it replaces. */
  summaryTokens: number;
  /** Maximum tokens of the instructions at its head, the standing and the possible ones together. */
  instructionTokens: number;
  tokensBefore: number;
  /** Tokens of everything that stays beside the summary. */
  tokensKept: number;
  /** Tokens of the notes that separate messages of the user in the resulting context. */
  separatorTokens: number;
  /** Tool results up to this seq are cleared from later contexts; 0 for none. */
  clearedThrough: number;
  /** The messages that callers keep and release, as of this compaction. */
  holds: Holds;
}

/** No cut is worth a summary. */
export interface NothingToCompact {
  kind: 'nothing';
  reason: 'nothing_to_cut' | 'too_little_to_reclaim';
  /** The newest unit is what is in the way. It stays only until another follows, so the next message may change it. */
  untilNext: boolean;
}

export type Plan = CompactionPlan | NothingToCompact;

/** The units after the leading messages and the active summary, divided by a cut. */
interface Cut {
  /** The next summary covers them. */
  covered: readonly Unit[];
  /** They stay verbatim. */
  newest: readonly Unit[];
}

/** The messages that contexts show beside the summary after a cut. */
interface Beside {
  carried: Entry[];
  newest: Entry[];
  /** Tool results up to this seq are cleared; 0 for none. */
  clearedThrough: number;
  holds: Holds;
}

/**
 * The summary takes at most four fifths of what it replaces. A model may write more than it is asked for, and a summary
 * that is not shorter than what it replaces is refused.
 */
const maxSummaryShare = 0.8;
/** Summary and instructions together: every compaction saves at least a twentieth of what it replaces (ADR 123). */
const maxReplacedShare = 0.95;
/** Maximum share of the narrative that it gives up for possible instructions. */
const maxGivenShare = 1 / 8;

/**
 * Where to cut, and what the cut is worth. Tries the policy's retention first and then keeps less, down to the newest
 * unit alone (AgentScope: retry with reserve 0), before it reports that there is nothing to compact.
 */
export function planCompaction(input: PlanInput): Plan {
  const units = groupUnits(withoutLeading(input));
  const room = roomForNewest(input, units);
  const waiting = waitingWithin(units, input.budget, room);
  let count = Math.max(waiting, keepNewest(units, input.policy, input.budget, room));
  for (;;) {
    const at = units.length - count;
    const plan = planCut(input, { covered: units.slice(0, at), newest: units.slice(at) });
    if (plan.kind === 'compact') return plan;
    if (count <= 1) return { ...plan, untilNext: wouldFit(input, units) };
    const fewer = Math.floor(count / 2);
    count = count > waiting ? Math.max(fewer, waiting) : fewer;
  }
}

/** Would the thread be below its trigger if all of these could go? */
function wouldFit(input: PlanInput, units: readonly Unit[]): boolean {
  const plan = planCut(input, { covered: units, newest: [] });
  if (plan.kind === 'nothing') return false;
  return plan.tokensKept + plan.summaryTokens + plan.instructionTokens < input.budget.trigger;
}

/**
 * The plan of a fold that is made before the trigger. What comes until then stays verbatim too, so it keeps only what
 * is missing to the reserve.
 */
export function planAhead(input: PlanInput, liveTokens: number): Plan {
  const { budget } = input;
  const coming = Math.max(0, budget.trigger - liveTokens);
  return planCompaction({ ...input, budget: { ...budget, reserve: Math.max(0, budget.reserve - coming) } });
}

/**
 * What `planCompaction` would say of a cut that was made earlier, at `toSeq`: what the context holds now once a summary
 * of the messages up to there is in place. A tool result that came after its call was summarized stays verbatim, as
 * after any compaction.
 */
export function planAt(input: PlanInput, toSeq: number): Plan {
  const recent = withoutLeading(input);
  const covered = groupUnits(recent.filter((entry) => entry.seq <= toSeq));
  const newest = groupUnits(recent.filter((entry) => entry.seq > toSeq));
  return planCut({ ...input, manual: true }, { covered, newest });
}

/** Maximum tokens of the newest units, so that the compaction reclaims its share of the trigger. */
function roomForNewest(input: PlanInput, units: readonly Unit[]): number {
  const { budget, policy } = input;
  const { limit } = budget;
  const pinned = groupUnits(input.carried).filter(isPinned).flatMap(entriesOf);
  const keptTokens = keptUnits([...earlierUnits(input), ...units], limit)
    .filter((unit) => !isPinned(unit))
    .flatMap(entriesOf)
    .reduce((total, entry) => total + keptWeight(entry, limit), 0);
  const room =
    Math.floor(budget.trigger * (1 - policy.min_reclaim_ratio)) -
    keptTokens -
    input.systemTokens -
    totalWeight([...input.leading, ...pinned], limit) -
    budget.summaryTokens -
    (input.instructionTokens ?? 0);
  return Math.max(0, room);
}

/**
 * The newest units from calls that wait for a result on, such as one that a person has to approve. They stay while they
 * fit and something else can be cut: a result that comes after its call was summarized is no result any more.
 */
function waitingWithin(units: readonly Unit[], { limit }: Budget, atMost: number): number {
  const waiting = waitingUnits(units);
  const tokens = units
    .slice(units.length - waiting)
    .reduce((total, unit) => total + unitWeight(unit, limit), 0);
  return tokens <= atMost ? waiting : 0;
}

const nothing = (reason: NothingToCompact['reason']): NothingToCompact => ({
  kind: 'nothing',
  reason,
  untilNext: false,
});

/** The plan of one cut: what stays beside the summary, what the cut is worth, and what the summary may take of that. */
function planCut(input: PlanInput, cut: Cut): Plan {
  const last = cut.covered.at(-1);
  if (!last) return nothing('nothing_to_cut');

  const summarize = cut.covered.filter((unit) => !isPinned(unit)).flatMap(entriesOf);
  const beside = besideSummary(input, cut);
  const account = accountOf(input, cut, beside);
  const replaced = account.tokensBefore - account.tokensKept - account.separatorTokens;
  const slots = slotsWithin(replaced, input);
  if (!input.isWritten) {
    if (summarize.length === 0 || slots.summary < 1) return nothing('nothing_to_cut');
    if (slots.saved < minGain(input)) return nothing('too_little_to_reclaim');
  }
  return {
    kind: 'compact',
    fromSeq: input.coveredThrough + 1,
    toSeq: lastSeq(last),
    carried: beside.carried.map((entry) => entry.seq),
    summarize: summarize.map((entry) => entry.seq),
    summaryTokens: slots.summary,
    instructionTokens: slots.instructions + slots.possible,
    ...account,
    clearedThrough: beside.clearedThrough,
    holds: beside.holds,
  };
}

/** What stays: the newest messages, and the carried ones, which include those that callers keep. */
function besideSummary(input: PlanInput, { covered, newest: newestUnits }: Cut): Beside {
  const earlier = earlierUnits(input);
  const newest = newestUnits.flatMap(entriesOf);
  const kept = keptUnits([...earlier, ...covered, ...newestUnits], input.budget.limit);
  const carried = carriedOf([...earlier, ...covered], newest, new Set(kept));
  return {
    carried,
    newest,
    clearedThrough: clearedThrough(newest, input.policy.keep_tool_results),
    holds: holdsOf(kept, [...carried, ...newest]),
  };
}

/**
 * Pinned messages are always carried, a tool call or result with its counterparts, and kept ones within their share;
 * the newest user message while it is the newest.
 */
function carriedOf(covered: readonly Unit[], newest: readonly Entry[], kept: ReadonlySet<Unit>): Entry[] {
  const stays = (unit: Unit): boolean => isPinned(unit) || kept.has(unit);
  const carried = covered.filter(stays).flatMap(entriesOf);
  if (newestUser(newest)) return carried;
  // With its calls, when the user spoke in the message that also brought their results.
  const anchor = covered.findLast((unit) => newestUser(entriesOf(unit)));
  if (!anchor || stays(anchor)) return carried;
  return [...carried, ...entriesOf(anchor)].sort((a, b) => a.seq - b.seq);
}

/** The tokens of the context now, and of what stays beside the summary: the difference is the worth of the cut. */
function accountOf(
  input: PlanInput,
  { covered }: Cut,
  { carried, newest, clearedThrough, holds }: Beside,
): Pick<CompactionPlan, 'tokensBefore' | 'tokensKept' | 'separatorTokens'> {
  const { limit } = input.budget;
  const fixed = input.systemTokens + conversationOverhead + totalWeight(input.leading, limit);
  const before = [...input.carried, ...covered.flatMap(entriesOf), ...newest];
  const rules = { maxImages: input.policy.max_images, clearedThrough, holds };
  const after = reduceEntries([...carried, ...newest], rules).entries;
  return {
    tokensBefore: fixed + input.summaryTokens + totalWeight(before, limit),
    tokensKept: fixed + totalWeight(after, limit),
    separatorTokens: separatorTokens([carried, newest].flatMap(groupUnits).flatMap(entriesOf), input.counter),
  };
}

/**
 * Divides the replaced tokens: between the summary, its instructions, and those that are saved. Possible instructions
 * take what neither the others nor the minimum gain need. Where that is too little the narrative gives up to an eighth:
 * what the user said word for word is worth more than its last sentences.
 */
function slotsWithin(replaced: number, input: PlanInput) {
  if (input.isWritten) {
    const wanted = { instructions: input.instructionTokens ?? 0, possible: input.possibleTokens ?? 0 };
    return { summary: input.budget.summaryTokens, ...wanted, saved: 0 };
  }
  const narrative = Math.min(input.budget.summaryTokens, Math.floor(replaced * maxSummaryShare));
  const left = Math.floor(replaced * maxReplacedShare) - narrative;
  const instructions = Math.min(input.instructionTokens ?? 0, left);
  const saved = replaced - narrative - instructions;
  const free = Math.max(0, Math.min(left - instructions, Math.floor(saved - minGain(input))));
  const wanted = input.possibleTokens ?? 0;
  const given = Math.min(Math.max(0, wanted - free), Math.floor(narrative * maxGivenShare));
  return { summary: narrative - given, instructions, possible: Math.min(wanted, free + given), saved };
}

/** Tokens that a compaction must reclaim. One that was requested, or whose cut was made earlier, has no minimum. */
const minGain = ({ manual, policy, budget }: PlanInput): number =>
  manual ? 0 : policy.min_reclaim_ratio * budget.trigger;

/** Units that an earlier compaction covered and that may stay verbatim. */
const earlierUnits = ({ carried, kept = [] }: PlanInput): Unit[] =>
  groupUnits([...carried, ...kept].sort((a, b) => a.seq - b.seq));

const withoutLeading = ({ recent, leading }: PlanInput): Entry[] => {
  const leadingThrough = leading.at(-1)?.seq ?? 0;
  return recent.filter((entry) => entry.seq > leadingThrough);
};

const totalWeight = (entries: readonly Entry[], limit: number): number =>
  entries.reduce((total, entry) => total + weigh(entry, limit), 0);
