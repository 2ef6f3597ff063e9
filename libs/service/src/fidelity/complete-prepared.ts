import { addFacts, roomForFacts, type CompactionPlan, type SummaryFields } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { ThreadInstructions } from '../instructions/thread-instructions.js';
import { seqsThrough } from '../messages/entries.js';
import type { ThreadSettings } from '../policies/settings.js';
import type { Runtime } from '../runtime.js';
import {
  completeSummary,
  draftSummary,
  isBelowMinimum,
  type RangeSummary,
} from '../summaries/draft-summary.js';
import { besideOf } from './fidelity.js';
import { needsAfter } from './needs-after.js';
import type { Prepared } from '../summaries/prepared-summary.js';
import { factsOfRange, fieldTokens } from '../summaries/summarize-range.js';

/** How often a value was used that is needed again: as one that the agent passes to a tool. */
const usesOfNeed = 3;

interface Place {
  plan: CompactionPlan;
  settings: ThreadSettings;
  instructions: ThreadInstructions;
}

/**
 * A prepared summary as it is put in place: with the standing instructions of now, and among its facts what the agent
 * used in the messages that came since. What a person approved stays as it was read.
 */
export async function completePrepared(
  rt: Runtime,
  row: ThreadRow,
  prepared: Prepared,
  place: Place,
): Promise<RangeSummary> {
  const { plan, settings } = place;
  const frame = {
    ...place,
    maxTokens: fieldTokens(prepared.maxTokens),
    beside: await besideOf(rt, row, plan),
    facts: await factsOfRange(rt, { row, plan, settings }),
  };
  if (settings.policy.summary.apply === 'on_approval') return draftSummary(prepared, frame);
  const fields = await withNeeds(rt, row, prepared, place);
  const draft = draftSummary({ ...prepared, fields }, frame);
  return isBelowMinimum(draft, frame) ? completeSummary(draft, frame) : draft;
}

async function withNeeds(
  rt: Runtime,
  row: ThreadRow,
  { fields, toSeq, asOfSeq, maxTokens }: Prepared,
  { plan: { carried }, settings: { count } }: Place,
): Promise<SummaryFields> {
  const needs = await needsAfter(rt, {
    projectId: row.projectId,
    threadUid: row.uid,
    toSeq,
    verbatim: [...seqsThrough(row.leadingThrough), ...carried],
    afterSeq: asOfSeq,
    lastSeq: row.headSeq,
  });
  const entries = needs.map(({ value, label, seq }) => ({ value, label, seq, uses: usesOfNeed }));
  const room = roomForFacts(fieldTokens(maxTokens), fields, count);
  return addFacts(fields, entries, { room, count, prefer: 'added' });
}
