import {
  activeInstructions,
  renderInstructions,
  slotTokens,
  type CompactionPlan,
  type InstructionSlot,
  type InstructionWithState,
} from '@spillway/engine';
import type { ThreadSettings } from '../policies/settings.js';
import type { ThreadInstructions } from './thread-instructions.js';

/** Tokens of the tags around the slot. */
const tagTokens = 24;

/** What a generation shows of the instructions, as its row keeps it. */
export interface ShownInstructions {
  shown: string[];
  left_out: string[];
  tokens: number;
}

/** The tokens that the instructions of a thread may take beside its next summary. */
export function instructionRoom(
  all: readonly InstructionWithState[],
  { budget, count }: ThreadSettings,
): number {
  const { tokens } = renderInstructions(activeInstructions(all), slotTokens(budget.summaryTokens), count);
  return tokens === 0 ? 0 : tokens + tagTokens;
}

/** The instructions that a summary should say: those that hold and that no message beside it says itself. */
export function instructionsToShow(
  all: readonly InstructionWithState[],
  { toSeq, carried }: CompactionPlan,
): InstructionWithState[] {
  const isBeside = (one: InstructionWithState): boolean =>
    one.source === 'found' && (one.seq > toSeq || carried.includes(one.seq));
  return activeInstructions(all).filter((one) => !isBeside(one));
}

/** The instructions at the head of a summary, as far as there is room. */
export const instructionSlot = (
  all: readonly InstructionWithState[],
  plan: CompactionPlan,
  { count }: ThreadSettings,
): InstructionSlot =>
  renderInstructions(instructionsToShow(all, plan), plan.instructionTokens - tagTokens, count);

/** What a commit writes of the instructions: those it found in its range, and which ones its summary shows. */
export function writtenInstructions(
  { found }: ThreadInstructions,
  { toSeq }: CompactionPlan,
  { shown, leftOut, tokens }: InstructionSlot,
): { found: string; shownInstructions: string } {
  const covered = found.filter(({ seq }) => seq <= toSeq);
  const kept: ShownInstructions = { shown, left_out: leftOut, tokens };
  return {
    found: JSON.stringify(covered.map(({ id, seq, text, kind }) => ({ id, seq, text, kind }))),
    shownInstructions: JSON.stringify(kept),
  };
}
