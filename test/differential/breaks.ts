import type { Plain } from '@spillway/testing';

/** The ways a cut can be wrong, or mean something else than the setting's name says; how many of each a replay met. */
export interface Breaks {
  /** A tool result is kept and the call it answers is not: every provider refuses that. */
  splitsPair: number;
  /** Over the trigger, and the rule finds nothing to cut. */
  neverCompacts: number;
  /** What every context holds and a summary of full size reach the trigger with nothing kept at all. */
  summaryOverTrigger: number;
  /** What is kept and a summary of full size reach the trigger: it compacts again with the next message. */
  staysOverTrigger: number;
  /** Not even the newest message is kept, so the model answers a summary. */
  keepsNothing: number;
  /** There are fewer user turns than the setting keeps, so it says nothing about where to cut. */
  tooFewTurns: number;
  /** Fewer user turns are kept than the setting says. */
  keepsFewerTurns: number;
  /** More, because it takes two user messages in a row for a question and its answer. */
  keepsMoreTurns: number;
  /** The first message kept is an answer, and its question is in the summary. */
  startsMidTurn: number;
}

export const noBreaks = (): Breaks => ({
  splitsPair: 0,
  neverCompacts: 0,
  summaryOverTrigger: 0,
  staysOverTrigger: 0,
  keepsNothing: 0,
  tooFewTurns: 0,
  keepsFewerTurns: 0,
  keepsMoreTurns: 0,
  startsMidTurn: 0,
});

export interface Cut {
  live: readonly Plain[];
  /** Index of the first message kept; null when the rule finds none. */
  keepFrom: number | null;
  /** Tokens beside the messages kept: system messages and a summary of full size. */
  beside: number;
  trigger: number;
  /** User turns that the system's setting promises to keep; null when it promises none. */
  turns: number | null;
}

/** What is wrong with a cut, the worst first; null for a valid one. */
export function breakOf({ live, keepFrom, beside, trigger, turns }: Cut): keyof Breaks | null {
  if (keepFrom === null || keepFrom === 0) return 'neverCompacts';
  const kept = live.slice(keepFrom);
  if (splitsPair(live.slice(0, keepFrom), kept)) return 'splitsPair';
  if (beside >= trigger) return 'summaryOverTrigger';
  if (kept.length === 0) return 'keepsNothing';
  if (turns !== null) {
    if (turnsOf(live) < turns) return 'tooFewTurns';
    const asked = turnsOf(kept);
    if (asked < turns) return 'keepsFewerTurns';
    if (asked > turns) return 'keepsMoreTurns';
    if (kept[0]!.role !== 'user') return 'startsMidTurn';
  }
  const after = beside + kept.reduce((sum, { tokens }) => sum + tokens, 0);
  return after >= trigger ? 'staysOverTrigger' : null;
}

const turnsOf = (messages: readonly Plain[]): number => messages.filter(({ role }) => role === 'user').length;

/** Is there a result among the kept whose call is among those before and not among the kept? */
export function splitsPair(before: readonly Plain[], kept: readonly Plain[]): boolean {
  const answered = new Set(kept.map(({ answers }) => answers));
  const keptCalls = new Set(kept.flatMap(({ calls }) => calls));
  return before.some(({ calls }) => calls.some((id) => answered.has(id) && !keptCalls.has(id)));
}
