import type { Instruction } from './instruction.js';

/** Maximum numbers of instructions that are kept. */
export interface FoundLimits {
  /** Of those that ask for something or end what was asked. */
  instructions: number;
  /** Of those that only may be instructions. */
  possible: number;
}

/**
 * Keeps the newest instructions where very many were found, in the order of the thread. Those that were said again
 * later are dropped first, so that a reminder with every message displaces nothing. Of possible ones each text is kept
 * once.
 */
export function newestFound(found: readonly Instruction[], limits: FoundLimits): Instruction[] {
  const possible = lastOfEachText(found.filter(({ kind }) => kind === 'possible')).slice(-limits.possible);
  const instructions = found.filter(({ kind }) => kind !== 'possible');
  const kept =
    instructions.length > limits.instructions
      ? newestWithoutRepeats(instructions, limits.instructions)
      : instructions;
  return inOrder(found, [...kept, ...possible]);
}

function newestWithoutRepeats(found: readonly Instruction[], max: number): Instruction[] {
  const last = lastOfEachText(found);
  if (last.length >= max) return last.slice(-max);
  const isLast = new Set(last);
  return [...found.filter((one) => !isLast.has(one)).slice(last.length - max), ...last];
}

/** Each text where it was said last. */
function lastOfEachText(found: readonly Instruction[]): Instruction[] {
  const last = new Map<string, Instruction>(found.map((one) => [one.text, one]));
  return found.filter((one) => last.get(one.text) === one);
}

function inOrder(all: readonly Instruction[], kept: readonly Instruction[]): Instruction[] {
  const isKept = new Set(kept);
  return all.filter((one) => isKept.has(one));
}
