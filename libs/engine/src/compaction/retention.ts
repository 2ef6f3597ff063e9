import type { Budget } from './budget.js';
import type { Policy } from '../policy/policy.js';
import { startsTurn, unitWeight, type Unit } from '../units/unit.js';

/**
 * How many of the newest units stay verbatim. By tokens: as many as fit the reserve (AgentScope's reserve_ratio). By
 * turns: all from the start of the Nth newest user message (Dawn, Chronos). Both within `atMost` tokens, so that a
 * single turn of two hundred tool calls is cut as well. The newest unit always stays.
 */
export function keepNewest(
  units: readonly Unit[],
  policy: Policy['context'],
  budget: Budget,
  atMost: number,
): number {
  const turns = policy.keep_recent_turns;
  const from = turns === null ? 0 : startOfNewestTurns(units, turns);
  const whole = units.slice(from).reduce((sum, unit) => sum + unitWeight(unit, budget.limit), 0);
  // Turns that do not fit are cut down to the reserve: if all that fits stayed, the thread would be due again with the
  // next step.
  const room = turns === null || whole > atMost ? Math.min(budget.reserve, atMost) : atMost;
  let kept = 0;
  let used = 0;
  while (kept < units.length - from) {
    used += unitWeight(units[units.length - 1 - kept]!, budget.limit);
    if (used > room) break;
    kept++;
  }
  return Math.max(kept, Math.min(1, units.length));
}

function startOfNewestTurns(units: readonly Unit[], turns: number): number {
  let seen = 0;
  for (let i = units.length - 1; i >= 0; i--) {
    if (startsTurn(units[i]!) && ++seen === turns) return i;
  }
  return turns === 0 ? units.length : 0;
}
