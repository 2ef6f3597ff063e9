import { minShortenedTokens, minMarkedTokens, weigh, type Entry } from '../messages/entry.js';
import {
  entriesOf,
  firstSeq,
  hasOpenCalls,
  isPinned,
  lastSeq,
  newestUser,
  unitWeight,
  type Step,
  type Unit,
} from '../units/unit.js';
import { isSystem } from '../messages/role.js';

export interface Elided {
  from_seq: number;
  to_seq: number;
  reason: 'over_budget' | 'shortened';
}

export type Fit =
  | {
      fits: true;
      shown: Unit[];
      /** Tokens each shortened message may take, by seq. */
      shortened: Map<number, number>;
      elided: Elided[];
    }
  | { fits: false; minimum: number };

export interface FitInput {
  limit: number;
  /** Tokens of what is always there: system prompt, leading messages, summary. */
  fixed: number;
  /** Covered messages shown verbatim. */
  carried: readonly Unit[];
  recent: readonly Unit[];
}

/** Maximum tokens of a note about an elided range, a result without a call, or a missing result. */
const noteTokens = 96;

/** Tokens of the notes and results that make steps valid for a provider. */
const repairTokens = (steps: readonly Step[]): number =>
  steps.reduce(
    (sum, { notes, strays, unanswered, repeated }) =>
      sum + notes.length + strays.size + unanswered.length + repeated.length,
    0,
  ) * noteTokens;

/**
 * Makes a context fit its limit when compaction is behind, and omits as little as possible, in this order: shortens
 * messages larger than half of the limit; leaves out the oldest units; shortens what remains. The newest unit, the
 * newest user message and pinned messages are always shown. Deterministic.
 */
export function fitContext(input: FitInput): Fit {
  const { limit, recent } = input;
  const units = [...input.carried, ...recent];
  const entries = units.flatMap(entriesOf);
  // Open calls at the end get no generated result.
  const steps = units.flatMap((unit) => unit.steps);
  const repairs = repairTokens(hasOpenCalls(units.at(-1)) ? steps.slice(0, -1) : steps);
  const whole = input.fixed + repairs + entries.reduce((sum, entry) => sum + entry.tokens, 0);
  if (whole <= limit) return { fits: true, shown: [...recent], shortened: new Map(), elided: [] };

  const weight = input.fixed + repairs + entries.reduce((sum, entry) => sum + weigh(entry, limit), 0);
  const { shown, elided, tokens } = leaveOut(input, weight);
  const visible = [...input.carried, ...shown].flatMap(entriesOf);
  const shortened = new Map<number, number>();
  for (const entry of visible) {
    if (weigh(entry, limit) < entry.tokens) shortened.set(entry.seq, weigh(entry, limit));
  }
  const missing = tokens > limit ? shortenFurther(visible, shortened, tokens - limit, limit) : 0;
  if (missing > 0) return { fits: false, minimum: limit + missing };
  for (const seq of shortened.keys()) elided.push({ from_seq: seq, to_seq: seq, reason: 'shortened' });
  return { fits: true, shown, shortened, elided: elided.sort((a, b) => a.from_seq - b.from_seq) };
}

/**
 * Leaves out the oldest units, in steps of a quarter of the limit, so that the contexts of the next turns only grow at
 * their end. Each gap needs a note: continues until that fits too, or nothing more may be left out.
 */
function leaveOut(input: FitInput, weight: number): { shown: Unit[]; elided: Elided[]; tokens: number } {
  const { limit, recent } = input;
  if (weight <= limit) return { shown: [...recent], elided: [], tokens: weight };
  const step = Math.max(1, Math.floor(limit / 4));
  for (let target = Math.ceil((weight - limit + noteTokens) / step) * step; ; target += step) {
    const { shown, elided, dropped } = dropOldest(input, target);
    const tokens = weight - dropped + elided.length * noteTokens;
    if (tokens <= limit || dropped < target) return { shown, elided, tokens };
  }
}

/** Drops the oldest removable units until they add up to `target` tokens. */
function dropOldest({ limit, carried, recent }: FitInput, target: number) {
  const anchor = newestUser([...carried, ...recent].flatMap(entriesOf));
  const shown: Unit[] = [];
  const elided: Elided[] = [];
  let dropped = 0;
  recent.forEach((unit, i) => {
    const keep =
      i === recent.length - 1 || isPinned(unit) || entriesOf(unit).some((e) => e.seq === anchor?.seq);
    if (keep || dropped >= target) {
      shown.push(unit);
      return;
    }
    dropped += unitWeight(unit, limit) + repairTokens(unit.steps);
    const open = elided.at(-1);
    if (open?.to_seq === firstSeq(unit) - 1) open.to_seq = lastSeq(unit);
    else elided.push({ from_seq: firstSeq(unit), to_seq: lastSeq(unit), reason: 'over_budget' });
  });
  return { shown, elided, dropped };
}

/** Takes `excess` tokens from the largest messages first. Returns what it could not take. */
function shortenFurther(
  visible: readonly Entry[],
  shortened: Map<number, number>,
  excess: number,
  limit: number,
): number {
  let left = excess;
  const room = (entry: Entry) => shortened.get(entry.seq) ?? weigh(entry, limit);
  const candidates = visible
    .filter((entry) => !entry.pinned && !isSystem(entry))
    .sort((a, b) => room(b) - room(a) || a.seq - b.seq);
  // Many short messages may be too large together, when each has less than a shortened one.
  for (const min of [minShortenedTokens, minMarkedTokens])
    for (const entry of candidates) {
      if (left <= 0) return 0;
      const taken = Math.min(left, Math.max(0, room(entry) - min));
      if (taken === 0) continue;
      shortened.set(entry.seq, room(entry) - taken);
      left -= taken;
    }
  return Math.max(0, left);
}
