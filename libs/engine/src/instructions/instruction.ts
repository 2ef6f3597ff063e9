/** The kinds of instructions, the most binding first. */
export const instructionKinds = [
  'prohibition',
  'limit',
  'procedure',
  'format',
  'preference',
  'permission',
] as const;

export type InstructionKind = (typeof instructionKinds)[number];

/** An instruction of a thread, with what a person decided about it. */
export interface Instruction {
  id: string;
  /** The message that says it; of one that a person added, the newest message then. */
  seq: number;
  /** Who said it, where its message names one of several people; null otherwise. */
  participant: string | null;
  text: string;
  /**
   * `ending`: it ends others and asks nothing itself ("The migration is done"). `possible`: it may be an instruction;
   * it binds nothing until a person approves it.
   */
  kind: InstructionKind | 'ending' | 'possible';
  source: 'found' | 'added';
  /** The decision of a person, and the newest message at that time. */
  decision: { state: 'active' | 'dismissed'; atSeq: number } | null;
}

/** `possible`: it may hold, and nobody decided it yet; one that a newer message ended has `retiredBySeq` as well. */
export type InstructionState = 'active' | 'retired' | 'dismissed' | 'possible';

export interface InstructionWithState extends Instruction {
  state: InstructionState;
  /** The message that retired it. */
  retiredBySeq: number | null;
  /** Of a retired one: that it was replaced is likely and not certain, so it is shown among what may hold. */
  mayHold: boolean;
}

/** Orders instructions of one message by their place in it, which their ids end with: `41-2` before `41-10`. */
export const byPlace = (a: Instruction, b: Instruction): number =>
  a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Orders instructions as they were said. */
export const asSaid = (a: Instruction, b: Instruction): number => a.seq - b.seq || byPlace(a, b);
