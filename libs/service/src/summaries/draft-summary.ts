import {
  addFacts,
  countMessage,
  readerToolNames,
  renderSummary,
  roomForFacts,
  scoreOf,
  slotsUsed,
  userMessage,
  type CompactionPlan,
  type InstructionSlot,
} from '@spillway/engine';
import type { Summarized } from '@spillway/llm';
import type { SummaryMaker } from '@spillway/store';
import { instructionSlot } from '../instructions/instruction-slot.js';
import type { ThreadSettings } from '../policies/settings.js';
import { fidelityOf, type MadeFidelity, type Scoring } from '../fidelity/fidelity.js';

/** A finished summary with the standing instructions of now. */
export interface RangeSummary extends Omit<Summarized, 'method'> {
  method: SummaryMaker;
  /** What the model sees. */
  text: string;
  tokens: number;
  /** The standing instructions at its head. */
  slot: InstructionSlot;
  fidelity: MadeFidelity;
  /** The newest seq that its model saw, where that is beyond its range; 0 where not. */
  seenSeq: number;
}

/** Where a summary is to stand. */
export interface SummaryFrame extends Scoring {
  settings: ThreadSettings;
  /** Tokens that its fields may take. */
  maxTokens: number;
}

/** Renders and scores a summary. */
export function draftSummary(
  { fields, method, model, seenSeq }: Pick<RangeSummary, 'fields' | 'method' | 'model' | 'seenSeq'>,
  frame: SummaryFrame,
): RangeSummary {
  const { plan, settings, instructions } = frame;
  const slot = instructionSlot(instructions.all, plan, settings);
  const { template } = settings.policy.summary;
  const { search_history: searchTool } = readerToolNames(settings.policy.outputs.tool_names);
  const shown = { toSeq: plan.toSeq, template, instructions: slot.text, searchTool };
  const text = renderSummary(fields, shown);
  const tokens = countMessage(userMessage(text), settings.counter);
  return { fields, method, model, text, tokens, slot, fidelity: fidelityOf(text, frame), seenSeq };
}

/** A model misses its target by a little, and to ask again costs more than the tokens that it is over. */
const tolerance = 1.5;

/** Tokens that the context loses for a summary. */
export const replacedTokens = ({ tokensBefore, tokensKept, separatorTokens }: CompactionPlan): number =>
  tokensBefore - tokensKept - separatorTokens;

/** Whether a summary of which `maxTokens` were asked for reclaims nothing, or takes far more than that. */
export const isTooLong = (tokens: number, plan: CompactionPlan, maxTokens: number): boolean =>
  tokens >= replacedTokens(plan) || tokens > maxTokens * tolerance + plan.instructionTokens;

export function isBelowMinimum({ fidelity }: RangeSummary, { settings }: SummaryFrame): boolean {
  const { min_fidelity: minimum } = settings.policy.summary;
  return minimum !== null && scoreOf(fidelity) < minimum;
}

/**
 * The summary with what it lost of facts and standing instructions, as far as there is room: the facts that were used
 * most, in place of those that a tool only listed; instructions also in what the fields leave.
 */
export function completeSummary(summary: RangeSummary, frame: SummaryFrame): RangeSummary {
  const { plan, settings, maxTokens } = frame;
  const { count } = settings;
  const { instructions, facts } = summary.fidelity.lost;
  const room = roomForFacts(maxTokens, summary.fields, count);
  const fields = addFacts(summary.fields, facts, { room, count, prefer: 'use' });
  const used = slotsUsed(fields, count);
  const free = instructions.length === 0 ? 0 : Math.max(0, maxTokens - used.narrative - used.facts);
  const wider = { ...plan, instructionTokens: plan.instructionTokens + free };
  return draftSummary({ ...summary, fields }, { ...frame, plan: wider });
}
