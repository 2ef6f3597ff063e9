import { withoutLine } from '../ledger/ledger.js';
import type { LedgerEntry } from '../ledger/ledger-text.js';
import { SaidText } from '../ledger/said-text.js';
import type { InstructionWithState } from '../instructions/instruction.js';
import type { Need } from './needs.js';

/** A standing instruction that the summary should say and does not. */
export interface LostInstruction {
  id: string;
  /** The message that says it. */
  seq: number;
  text: string;
}

/** A fact that is missing: a value of the ledger, with the newest message that says it. */
export type LostFact = Pick<LedgerEntry, 'value' | 'label' | 'seq'>;

/** How much a context still says of the messages that a fold replaced. Measured by code when the fold is made. */
export interface FoldFidelity<Fact extends LostFact = LostFact> {
  instructionsKept: number;
  instructionsTotal: number;
  factsKept: number;
  factsTotal: number;
  lost: { instructions: LostInstruction[]; facts: Fact[] };
}

/** How many of the values that the agent needed after the fold the summary had. */
export interface NeedRecall {
  needs: number;
  /** Of these, the ones that the summary said. */
  found: number;
  /** The last message that was looked at. */
  throughSeq: number;
  /** At most `maxLost`. */
  lost: Need[];
}

/** As a summary's row holds it: `recall` once it is measured. */
export interface SummaryFidelity extends FoldFidelity {
  recall?: NeedRecall;
}

/** The longest list of what is missing that a row holds. */
export const maxLost = 50;

export interface ScoreInput {
  /** The summary as the model sees it. */
  text: string;
  /** The text of the covered messages that stay beside it. */
  beside: string;
  /** The instructions that hold and that no message beside it says. */
  instructions: readonly InstructionWithState[];
  /** Of the ledger of the folded messages what somebody used, the most used first. */
  facts: readonly LedgerEntry[];
}

export function scoreFold({ text, beside, instructions, facts }: ScoreInput): FoldFidelity<LedgerEntry> {
  const summary = new SaidText(text);
  const shown = new SaidText(`${text}\n${beside}`);
  const lost = {
    instructions: instructions.filter((one) => !summary.says(one.text)),
    facts: facts.filter(({ value }) => !shown.says(withoutLine(value))),
  };
  return {
    instructionsKept: instructions.length - lost.instructions.length,
    instructionsTotal: instructions.length,
    factsKept: facts.length - lost.facts.length,
    factsTotal: facts.length,
    lost,
  };
}

/** The same with lists that a row can hold. */
export const withBoundedLists = ({ lost, ...counts }: FoldFidelity): FoldFidelity => ({
  ...counts,
  lost: {
    instructions: lost.instructions.slice(0, maxLost).map(({ id, seq, text }) => ({ id, seq, text })),
    facts: lost.facts.slice(0, maxLost).map(({ value, label, seq }) => ({ value, label, seq })),
  },
});

export function recallOf(text: string, needs: readonly Need[], throughSeq: number): NeedRecall {
  const summary = new SaidText(text);
  const lost = needs.filter(({ value }) => !summary.says(value));
  return { needs: needs.length, found: needs.length - lost.length, throughSeq, lost: lost.slice(0, maxLost) };
}

/** The smaller of both shares: what `summary.min_fidelity` is compared with. What has nothing to keep is whole. */
export const scoreOf = ({
  instructionsKept,
  instructionsTotal,
  factsKept,
  factsTotal,
}: FoldFidelity): number =>
  Math.min(shareOf(instructionsKept, instructionsTotal), shareOf(factsKept, factsTotal));

const shareOf = (kept: number, total: number): number => (total === 0 ? 1 : kept / total);
