import {
  budgetOf,
  conversationOverhead,
  groupUnits,
  leadingThrough,
  mergePolicies,
  outlineContext,
  planCompaction,
  resolvePolicy,
  weigh,
  type Entry,
  type Plan,
  type PlanInput,
  type PolicyInput,
} from '@spillway/engine';
import type { Plain } from '@spillway/testing';
import { breakOf, noBreaks, splitsPair, type Breaks } from './breaks.js';
import type { PlainThread } from './thread-tokens.js';

/** What the other system would do with the live messages. `keepFrom` is an index into them; null for no cut. */
export type Rule = (live: readonly Plain[], liveTokens: number) => { due: boolean; keepFrom: number | null };

export interface Counts extends Breaks {
  /** Messages after which both were asked. */
  points: number;
  /** Neither compacts. */
  bothIdle: number;
  /** Both compact, theirs is valid, and the cut is the same. */
  equalCuts: number;
  /**
   * Theirs is due and ours is not: a message larger than half of the limit weighs half of it in ours, because it is
   * shown shortened when space is short. One pasted file would otherwise keep a thread due for ever.
   */
  largeMessage: number;
  /** Exactly at the limit: ours is due, and theirs is only above it. */
  atLimit: number;
  /** Compactions of ours. */
  ours: number;
  /** Those that came one message after another. */
  oursAgain: number;
}

export const noCounts = (): Counts => ({
  points: 0,
  bothIdle: 0,
  equalCuts: 0,
  largeMessage: 0,
  atLimit: 0,
  ours: 0,
  oursAgain: 0,
  ...noBreaks(),
});

export interface Settings {
  policy: PolicyInput;
  window: number;
  rule: Rule;
  /** User turns that theirs promises to keep; left out where the rule itself counts turns or none. */
  turns?: number;
  /** Asked after these messages only. */
  asks?: (message: Plain) => boolean;
}

/** The others separate no messages, so a separator takes nothing here. */
const noSeparators = { text: () => 0, perMessage: 0 };

/** Tokens of a summary at its largest, of theirs and of ours: Chronos's default; the others name no bound. */
const maxSummary = 1_024;

/**
 * Replays threads message by message through our engine and another system's rule, from the same state: after each
 * compaction both go on from ours, with a summary of full size. Throws where theirs is valid and ours differs, or
 * where ours is not valid.
 */
export function replay(threads: readonly PlainThread[], settings: Settings): Counts {
  const counts = noCounts();
  for (const thread of threads) replayOne(thread, settings, counts);
  return counts;
}

function replayOne({ name, entries, messages }: PlainThread, settings: Settings, counts: Counts): void {
  const policy = mergePolicies(settings.policy, { summary: { enabled: true, max_tokens: maxSummary } });
  const { context } = resolvePolicy(policy);
  const budget = budgetOf(policy, settings.window);
  const leading = entries.slice(0, leadingThrough(entries));
  let state = { covered: 0, carried: [] as Entry[], summaryTokens: 0, clearedThrough: 0 };
  let compactedAt = 0;
  for (let n = leading.length + 1; n <= entries.length; n++) {
    const where = `${name}@${n}`;
    const from = Math.max(state.covered, leading.length);
    const recent = entries.slice(from, n);
    const live = messages.slice(from, n);
    const outline = outlineContext({
      limit: budget.limit,
      systemTokens: 0,
      leading,
      carried: state.carried,
      summary: state.summaryTokens === 0 ? null : { text: '', tokens: state.summaryTokens },
      recent,
      maxImages: context.max_images,
      clearedThrough: state.clearedThrough,
    });
    if (!outline.fits) throw new Error(`${where}: ours does not fit its limit`);
    if (showsHalfAPair(messages.slice(0, n), outline.outline.seqs)) throw new Error(`${where}: half a pair`);
    if (settings.asks && !settings.asks(messages[n - 1]!)) continue;
    counts.points++;

    const beside = conversationOverhead + sum([...leading, ...state.carried]);
    const theirs = settings.rule(live, beside + state.summaryTokens + sum(recent));
    const weight = [...leading, ...state.carried, ...recent].reduce(
      (total, entry) => total + weigh(entry, budget.limit),
      0,
    );
    const due = conversationOverhead + weight + state.summaryTokens;
    const isDue = due >= budget.trigger;
    if (due === budget.trigger && !theirs.due) {
      counts.atLimit++;
      continue;
    }
    if (theirs.due !== isDue) {
      const hasLarge = [...state.carried, ...recent].some(
        (entry) => weigh(entry, budget.limit) < entry.tokens,
      );
      if (isDue || !hasLarge) throw new Error(`${where}: one is due and the other not`);
      counts.largeMessage++;
      continue;
    }
    if (!isDue) {
      counts.bothIdle++;
      continue;
    }

    const input: PlanInput = {
      policy: context,
      budget,
      counter: noSeparators,
      systemTokens: 0,
      leading,
      carried: state.carried,
      summaryTokens: state.summaryTokens,
      coveredThrough: state.covered,
      recent: entries.slice(state.covered, n),
      manual: false,
    };
    const plan = planCompaction(input);
    const ours = plan.kind === 'compact' ? plan.toSeq : null;
    const broken = breakOf({
      live,
      keepFrom: theirs.keepFrom,
      beside: beside + maxSummary,
      trigger: budget.trigger,
      turns: settings.turns ?? null,
    });
    if (broken) counts[broken]++;
    else if (ours === from + theirs.keepFrom!) counts.equalCuts++;
    else throw new Error(`${where}: theirs cuts after ${from + theirs.keepFrom!}, ours after ${ours}`);

    const unsound = complaint(plan, input, messages.slice(0, n));
    if (unsound) throw new Error(`${where}: ours ${unsound}`);
    // The newest step alone is what every model needs: where theirs keeps none of it, ours keeps no more than it.
    if (broken === 'keepsNothing' && ours !== null && groupUnits(entries.slice(ours, n)).length !== 1)
      throw new Error(`${where}: ours keeps more than the newest step`);
    if (plan.kind === 'compact') {
      counts.ours++;
      if (compactedAt === n - 1) counts.oursAgain++;
      compactedAt = n;
      state = {
        covered: plan.toSeq,
        carried: plan.carried.filter((seq) => seq > leading.length).map((seq) => entries[seq - 1]!),
        summaryTokens: plan.summaryTokens,
        clearedThrough: plan.clearedThrough,
      };
    }
  }
}

/** What is wrong with a plan of ours; null for a sound one. */
function complaint(plan: Plan, input: PlanInput, messages: readonly Plain[]): string | null {
  if (plan.kind === 'nothing') {
    // The newest question stays as it was asked, so it is nothing to cut either.
    const asked = input.recent.findLast(({ role }) => role === 'user');
    const recent = input.recent.filter(({ seq }) => seq > input.leading.length && seq !== asked?.seq);
    return groupUnits(recent).length > 1 ? `does not compact: ${plan.reason}` : null;
  }
  if (splitsPair(messages.slice(0, plan.toSeq), messages.slice(plan.toSeq))) return 'splits a pair';
  if (plan.toSeq <= input.coveredThrough) return 'covers nothing new';
  return plan.tokensKept + plan.summaryTokens < plan.tokensBefore ? null : 'makes no progress';
}

/** Is one of a call and its result shown, and the other not? */
function showsHalfAPair(messages: readonly Plain[], seqs: readonly number[]): boolean {
  const shown = new Set(seqs);
  const hidden = messages.filter((_, i) => !shown.has(i + 1));
  const visible = messages.filter((_, i) => shown.has(i + 1));
  return splitsPair(hidden, visible) || splitsPair(visible, hidden);
}

const sum = (entries: readonly Entry[]): number => entries.reduce((total, { tokens }) => total + tokens, 0);
