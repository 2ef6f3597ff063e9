import {
  activeInstructions,
  renderInstructions,
  reservedFor,
  slotRoom,
  slotTagTokens,
  type CompactionPlan,
  type InstructionSlot,
  type InstructionWithState,
} from '@spillway/engine';
import type { ThreadSettings } from '../policies/settings.js';
import type { ThreadInstructions } from './thread-instructions.js';

/** What a generation shows of the instructions, as its row keeps it. */
export interface ShownInstructions {
  shown: string[];
  left_out: string[];
  tokens: number;
}

/** The tokens that the instructions of a thread may take beside its next summary, and what may be one beside them. */
export const instructionRoom = (
  all: readonly InstructionWithState[],
  { budget, count }: ThreadSettings,
): ReturnType<typeof reservedFor> =>
  reservedFor(renderInstructions(all, slotRoom(budget.summaryTokens), count));

/** The instructions that a summary must say: those that hold and that no message beside it says itself. */
export const instructionsToShow = (
  all: readonly InstructionWithState[],
  plan: CompactionPlan,
): InstructionWithState[] => activeInstructions(all.filter((one) => !isBeside(one, plan)));

const isBeside = (one: InstructionWithState, { toSeq, carried }: CompactionPlan): boolean =>
  one.source === 'found' && (one.seq > toSeq || carried.includes(one.seq));

/** The instructions at the head of a summary, and what may be one, as far as there is room. */
export function instructionSlot(
  all: readonly InstructionWithState[],
  plan: CompactionPlan,
  { budget, count }: ThreadSettings,
): InstructionSlot {
  const room = slotRoom(budget.summaryTokens, plan.instructionTokens - slotTagTokens);
  return renderInstructions(
    all.filter((one) => !isBeside(one, plan)),
    room,
    count,
  );
}

/** The texts of instructions that a summary need not quote: its head shows them, or they hold no more. */
export function shownOrEnded(
  all: readonly InstructionWithState[],
  plan: CompactionPlan,
  settings: ThreadSettings,
): string[] {
  const shown = new Set(instructionSlot(all, plan, settings).shown);
  const hasEnded = ({ state, retiredBySeq, mayHold }: InstructionWithState): boolean =>
    state === 'dismissed' || (retiredBySeq !== null && !mayHold);
  return all.filter((one) => shown.has(one.id) || hasEnded(one)).map(({ text }) => text);
}

/** What a commit writes of the instructions: those it found in its range, and which ones its summary shows. */
export function writtenInstructions(
  { found }: ThreadInstructions,
  { toSeq }: CompactionPlan,
  { shown, leftOut, tokens }: InstructionSlot,
): { found: string; shownInstructions: string } {
  const covered = found.filter(({ seq }) => seq <= toSeq);
  const slot: ShownInstructions = { shown, left_out: leftOut, tokens };
  return {
    found: JSON.stringify(
      covered.map(({ id, seq, participant, text, kind }) => ({ id, seq, participant, text, kind })),
    ),
    shownInstructions: JSON.stringify(slot),
  };
}
