import type { ListedInstruction } from '@spillway/service';

/** A standing instruction on the wire. */
export const instructionView = (one: ListedInstruction) => ({
  id: one.id,
  seq: one.seq,
  participant: one.participant,
  text: one.text,
  state: one.state,
  retired_by_seq: one.retiredBySeq,
  may_hold: one.mayHold,
  source: one.source,
  kind: one.kind,
  approved: one.decision?.state === 'active',
  created_at: one.storedAt?.toISOString() ?? null,
  in_context: one.generations,
  stands_in: one.standsIn,
});

/** The same as the answer to a change. */
export const changedInstructionView = (one: ListedInstruction) => ({
  ...instructionView(one),
  takes_effect: 'next_generation',
});
