import type { Budget } from './budget.js';
import { conversationOverhead } from './budget.js';
import type { MessageCounter } from '../tokens/count-message.js';
import { weigh, type Entry } from '../messages/entry.js';
import type { Policy } from '../policy/policy.js';
import { holdsOf, keptUnits, keptWeight, type Holds } from './holds.js';
import { clearedThrough, reduceEntries } from './reduce.js';
import { keepNewest, unitWeight } from './retention.js';
import { separatorTokens } from './separators.js';
import { entriesOf, groupUnits, lastSeq, newestUser, waitingUnits, type Unit } from './unit.js';

/** The input of a plan: the current entries of a thread, read in one snapshot. */
export interface PlanInput {
  policy: Policy['context'];
  budget: Budget;
  /** Counts what a context inserts between its messages. */
  counter: MessageCounter;
  /** Tokens of the system prompt that is sent beside the messages. */
  systemTokens: number;
  /** The system messages the thread starts with. */
  leading: readonly Entry[];
  /** Covered messages that the active summary carries verbatim. */
  carried: readonly Entry[];
  /** Other covered messages that a caller wants to keep, in whole units. */
  held?: readonly Entry[];
  /** Tokens of the active summary, 0 without one. */
  summaryTokens: number;
  /** The last seq that the active summary covers. */
  coveredThrough: number;
  /** Messages after it, in seq order. */
  recent: readonly Entry[];
  /** Tokens that the standing instructions take at the head of the next summary; 0 without any. */
  instructionTokens?: number;
  /** Tokens that sentences which may be one would take beside them: they get what would stay free, and move no cut. */
  possibleTokens?: number;
  /** A manual request: min_reclaim_ratio does not apply. */
  manual: boolean;
}

export interface CompactionPlan {
  kind: 'compact';
  fromSeq: number;
  toSeq: number;
  /** Seqs within 1..toSeq that every later context shows verbatim. */
  carried: number[];
  /** Seqs in the range that the summarizer reads. */
  summarize: number[];
  /** Maximum tokens of the summary, which must be shorter than what it replaces. */
  summaryTokens: number;
  /** The standing instructions at its head, and what may be one, may take this many beside it. */
  instructionTokens: number;
  tokensBefore: number;
  /** Tokens of everything that stays beside the summary. */
  tokensKept: number;
  /** Tokens of the notes that separate messages of the user in the resulting context. */
  separatorTokens: number;
  /** Tool results up to this seq are cleared from later contexts; 0 for none. */
  clearedThrough: number;
  /** What callers keep and release, as of this compaction. */
  holds: Holds;
}

export type Plan = CompactionPlan | { kind: 'nothing'; reason: 'nothing_to_cut' | 'too_little_to_reclaim' };

/**
 * Where to cut, and what the cut is worth. Tries the policy's retention first and then keeps less, down to the newest
 * unit alone (AgentScope: retry with reserve 0), before it reports that there is nothing to compact.
 */
export function planCompaction(input: PlanInput): Plan {
  const units = groupUnits(input.recent.filter((entry) => !isLeading(entry, input.leading)));
  const frame = sum([...input.leading, ...pinnedIn(groupUnits(input.carried))], input.budget.limit);
  // Maximum tokens to keep so that the compaction reclaims its share of the trigger.
  const worth = input.budget.trigger * (1 - input.policy.min_reclaim_ratio);
  const held = groupUnits([...input.carried, ...(input.held ?? [])].sort((a, b) => a.seq - b.seq));
  const heldTokens = keptUnits([...held, ...units], input.budget.limit)
    .filter((unit) => !isPinned(unit))
    .flatMap(entriesOf)
    .reduce((total, entry) => total + keptWeight(entry, input.budget.limit), 0);
  const room =
    Math.floor(worth) -
    heldTokens -
    input.systemTokens -
    frame -
    input.budget.summaryTokens -
    (input.instructionTokens ?? 0);
  const waiting = waitingWithin(units, input.budget, Math.max(0, room));
  let kept = Math.max(waiting, keepNewest(units, input.policy, input.budget, Math.max(0, room)));
  for (;;) {
    const plan = planCut(input, units, units.length - kept);
    if (plan.kind === 'compact' || kept <= 1) return plan;
    const fewer = Math.floor(kept / 2);
    kept = kept > waiting ? Math.max(fewer, waiting) : fewer;
  }
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
 * The same for a cut that was made earlier, at `toSeq`: what the context holds now once a summary of the messages up to
 * there is in place. A tool result that came after its call was summarized stays verbatim, as after any compaction.
 */
export function planAt(input: PlanInput, toSeq: number): Plan {
  const recent = input.recent.filter((entry) => !isLeading(entry, input.leading));
  const covered = groupUnits(recent.filter((entry) => entry.seq <= toSeq));
  const kept = groupUnits(recent.filter((entry) => entry.seq > toSeq));
  return planCut({ ...input, manual: true }, [...covered, ...kept], covered.length);
}

function planCut(input: PlanInput, units: readonly Unit[], cut: number): Plan {
  const { budget, policy } = input;
  const covered = units.slice(0, cut);
  const last = covered.at(-1);
  if (!last) return { kind: 'nothing', reason: 'nothing_to_cut' };

  const summarize = covered.filter((unit) => !isPinned(unit)).flatMap(entriesOf);
  const kept = units.slice(cut).flatMap(entriesOf);
  const before = groupUnits([...input.carried, ...(input.held ?? [])].sort((a, b) => a.seq - b.seq));
  const held = keptUnits([...before, ...units], budget.limit);
  const carried = carriedAfter(before, covered, kept, new Set(held));
  const holds = holdsOf(held, [...carried, ...kept]);
  const frame = input.systemTokens + conversationOverhead + sum(input.leading, budget.limit);
  const cleared = clearedThrough(kept, policy.keep_tool_results);
  const rules = { maxImages: policy.max_images, clearedThrough: cleared, holds };
  const tokensKept = frame + sum(reduceEntries([...carried, ...kept], rules).entries, budget.limit);
  const tokensBefore =
    frame +
    input.summaryTokens +
    sum([...input.carried, ...covered.flatMap(entriesOf), ...kept], budget.limit);

  const separators = separatorTokens([carried, kept].flatMap(groupUnits).flatMap(entriesOf), input.counter);
  const replaced = tokensBefore - tokensKept - separators;
  const summaryTokens = Math.min(budget.summaryTokens, Math.floor(replaced * 0.8));
  // A twentieth of what is replaced is saved at least.
  const beside = Math.floor(replaced * 0.95) - summaryTokens;
  const instructionTokens = Math.min(input.instructionTokens ?? 0, beside);
  if (summarize.length === 0 || summaryTokens < 1) return { kind: 'nothing', reason: 'nothing_to_cut' };
  if (
    !input.manual &&
    replaced - summaryTokens - instructionTokens < policy.min_reclaim_ratio * budget.trigger
  ) {
    return { kind: 'nothing', reason: 'too_little_to_reclaim' };
  }
  const reclaim = input.manual ? 0 : policy.min_reclaim_ratio * budget.trigger;
  const free = Math.min(
    beside - instructionTokens,
    Math.floor(replaced - summaryTokens - instructionTokens - reclaim),
  );
  return {
    kind: 'compact',
    fromSeq: input.coveredThrough + 1,
    toSeq: lastSeq(last),
    carried: carried.map((entry) => entry.seq),
    summarize: summarize.map((entry) => entry.seq),
    summaryTokens,
    instructionTokens: instructionTokens + Math.max(0, Math.min(input.possibleTokens ?? 0, free)),
    tokensBefore,
    tokensKept,
    separatorTokens: separators,
    clearedThrough: cleared,
    holds,
  };
}

/**
 * Pinned messages are always carried, a tool call or result with its counterparts, and kept ones within their share;
 * the newest user message while it is the newest.
 */
function carriedAfter(
  before: readonly Unit[],
  covered: readonly Unit[],
  kept: readonly Entry[],
  held: ReadonlySet<Unit>,
): Entry[] {
  const stays = (unit: Unit): boolean => isPinned(unit) || held.has(unit);
  const carried = [...before, ...covered].filter(stays).flatMap(entriesOf);
  if (newestUser(kept)) return carried;
  // With its calls, when the user spoke in the message that also brought their results.
  const anchor = [...before, ...covered].findLast((unit) => newestUser(entriesOf(unit)));
  if (!anchor || stays(anchor)) return carried;
  return [...carried, ...entriesOf(anchor)].sort((a, b) => a.seq - b.seq);
}

const isPinned = (unit: Unit): boolean => entriesOf(unit).some((entry) => entry.pinned);
const pinnedIn = (units: readonly Unit[]): Entry[] => units.filter(isPinned).flatMap(entriesOf);
const isLeading = (entry: Entry, leading: readonly Entry[]): boolean =>
  entry.seq <= (leading.at(-1)?.seq ?? 0);

const sum = (entries: readonly Entry[], limit: number): number =>
  entries.reduce((total, entry) => total + weigh(entry, limit), 0);
