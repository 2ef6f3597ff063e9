import {
  budgetOf,
  conversationOverhead,
  groupUnits,
  leadingThrough,
  mergePolicies,
  planCompaction,
  resolvePolicy,
  weigh,
  type CompactionPlan,
  type Entry,
  type PolicyInput,
} from '@spillway/engine';
import type { Plain } from '@spillway/testing';
import type { PlainThread } from './thread-tokens.js';

/** What the other system would do with the live messages. `keepFrom` is an index into them; null for no cut. */
export type Rule = (live: readonly Plain[], liveTokens: number) => { due: boolean; keepFrom: number | null };

export interface Counts {
  threads: number;
  /** Messages after which both were asked. */
  points: number;
  /** Both compact, theirs is valid, and the cut is the same. */
  equalCuts: number;
  /** Neither compacts. */
  bothIdle: number;
  /** How theirs breaks where ours does not. */
  splitsPair: number;
  neverCompacts: number;
  staysOverTrigger: number;
  keepsNothing: number;
  keepsFewerTurns: number;
}

export interface Settings {
  policy: PolicyInput;
  window: number;
  rule: Rule;
  /** Is what theirs keeps what its setting promises? */
  keepsWhatItSays?: (kept: readonly Plain[]) => boolean;
  /** Asked after these messages only. */
  asks?: (message: Plain) => boolean;
}

/**
 * Replays threads message by message through our engine and another system's rule, from the same state: after each
 * compaction both go on from ours. Throws where theirs is valid and ours differs, or where ours is not valid.
 */
export function replay(threads: readonly PlainThread[], settings: Settings): Counts {
  const counts: Counts = {
    threads: threads.length,
    points: 0,
    equalCuts: 0,
    bothIdle: 0,
    splitsPair: 0,
    neverCompacts: 0,
    staysOverTrigger: 0,
    keepsNothing: 0,
    keepsFewerTurns: 0,
  };
  for (const thread of threads) replayOne(thread, settings, counts);
  return counts;
}

function replayOne({ name, entries, messages }: PlainThread, settings: Settings, counts: Counts): void {
  const { policy: preset, window, rule } = settings;
  const policy = mergePolicies(preset, { summary: { enabled: true } });
  const budget = budgetOf(policy, window);
  const leadingCount = leadingThrough(entries);
  const leading = entries.slice(0, leadingCount);
  let covered = 0;
  let carried: Entry[] = [];
  let summaryTokens = 0;
  for (let n = leadingCount + 1; n <= entries.length; n++) {
    const from = Math.max(covered, leadingCount);
    const recent = entries.slice(from, n);
    if (settings.asks && !settings.asks(messages[n - 1]!)) continue;
    const sum = (list: readonly Entry[]) =>
      list.reduce((total, entry) => total + weigh(entry, budget.limit), 0);
    const frame = conversationOverhead + sum(leading) + summaryTokens + sum(carried);
    const live = frame + sum(recent);
    counts.points++;

    const ours: CompactionPlan | null =
      live >= budget.trigger
        ? planned(
            planCompaction({
              policy: resolvePolicy(policy).context,
              budget,
              systemTokens: 0,
              leading,
              carried,
              summaryTokens,
              coveredThrough: covered,
              recent: entries.slice(covered, n),
              manual: false,
            }),
          )
        : null;
    const theirs = rule(messages.slice(from, n), live);
    if (theirs.due !== live >= budget.trigger)
      throw new Error(`${name}@${n}: one is due at ${live} tokens, the other not`);
    if (!theirs.due) {
      counts.bothIdle++;
      continue;
    }

    const where = `${name}@${n}`;
    const breaks = complaint(
      messages.slice(from, n),
      theirs.keepFrom,
      frame + budget.summaryTokens,
      budget.trigger,
      settings,
    );
    if (breaks) counts[breaks]++;
    else if (ours?.toSeq !== from + theirs.keepFrom!)
      throw new Error(`${where}: theirs cuts after ${from + theirs.keepFrom!}, ours after ${ours?.toSeq}`);
    else counts.equalCuts++;

    if (!ours) {
      // Only the newest step is left, and no rule could do more.
      if (groupUnits(recent).length > 1) throw new Error(`${where}: ours does not compact`);
      continue;
    }
    const kept = messages.slice(ours.toSeq, n);
    if (splits(messages.slice(0, ours.toSeq), kept)) throw new Error(`${where}: ours splits a pair`);
    const tokensAfter = ours.tokensKept + ours.summaryTokens;
    if (tokensAfter >= live) throw new Error(`${where}: ours makes no progress`);
    carried = ours.carried.filter((seq) => seq > leadingCount).map((seq) => entries[seq - 1]!);
    covered = ours.toSeq;
    summaryTokens = ours.summaryTokens;
  }
}

const planned = (plan: ReturnType<typeof planCompaction>): CompactionPlan | null =>
  plan.kind === 'compact' ? plan : null;

type Break = 'splitsPair' | 'neverCompacts' | 'staysOverTrigger' | 'keepsNothing' | 'keepsFewerTurns';

/** What is wrong with a cut; null for a valid one. */
function complaint(
  live: readonly Plain[],
  keepFrom: number | null,
  beside: number,
  trigger: number,
  { keepsWhatItSays }: Settings,
): Break | null {
  if (keepFrom === null || keepFrom === 0) return 'neverCompacts';
  const kept = live.slice(keepFrom);
  if (kept.length === 0) return 'keepsNothing';
  if (splits(live.slice(0, keepFrom), kept)) return 'splitsPair';
  if (keepsWhatItSays && !keepsWhatItSays(kept)) return 'keepsFewerTurns';
  // Compacting again with the next message, and the next, is no compaction.
  const after = beside + kept.reduce((sum, message) => sum + message.tokens, 0);
  return after > trigger ? 'staysOverTrigger' : null;
}

const splits = (before: readonly Plain[], kept: readonly Plain[]): boolean => {
  const open = new Set(kept.flatMap((message) => message.answers ?? []));
  const keptCalls = new Set(kept.flatMap((message) => message.calls));
  return before.some((message) => message.calls.some((id) => open.has(id) && !keptCalls.has(id)));
};
