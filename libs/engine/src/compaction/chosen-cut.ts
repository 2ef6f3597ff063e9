import type { Budget } from './budget.js';
import type { Entry } from '../messages/entry.js';
import type { Policy } from '../policy/policy.js';
import { keepNewest } from './retention.js';
import { firstSeq, groupUnits, lastSeq, waitingUnits } from '../units/unit.js';

/** Why a summary cannot end at a seq that a caller chose. */
export type CutProblem =
  | { kind: 'not_there'; lastSeq: number }
  /** It would separate these messages: calls and their results. */
  | { kind: 'splits'; fromSeq: number; toSeq: number }
  /** Messages from `fromSeq` on stay verbatim. */
  | { kind: 'protected'; fromSeq: number };

/**
 * Whether the messages of a thread, those after its leading ones, may be summarized up to `toSeq`. A cut lies between
 * units. The newest unit stays, with the calls that wait for results, and the turns that the policy keeps.
 */
export function cutProblem(
  entries: readonly Entry[],
  toSeq: number,
  { policy, budget }: { policy: Policy['context']; budget: Budget },
): CutProblem | undefined {
  const units = groupUnits(entries);
  const last = units.at(-1);
  if (!last || toSeq > lastSeq(last)) return { kind: 'not_there', lastSeq: last ? lastSeq(last) : 0 };
  const kept = policy.keep_recent_turns === null ? 1 : keepNewest(units, policy, budget, budget.trigger);
  const fromSeq = firstSeq(units[units.length - Math.max(kept, waitingUnits(units))]!);
  if (toSeq >= fromSeq) return { kind: 'protected', fromSeq };
  const split = units.find((unit) => firstSeq(unit) <= toSeq && lastSeq(unit) > toSeq);
  return split && { kind: 'splits', fromSeq: firstSeq(split), toSeq: lastSeq(split) };
}
