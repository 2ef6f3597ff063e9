import { asSaid, type Instruction, type InstructionState, type InstructionWithState } from './instruction.js';
import { areOnOtherTopics } from './matter.js';
import { isQuestion } from './plain.js';
import { comparedBy, goesBackOn, replaces, type Compared } from './replacement/replaces.js';
import { replacementScore } from './replacement/score.js';
import { kindOfWords } from './rules.js';

/** Newest instructions that each new one is compared with: bounds the work on a thread with very many of them. */
const maxCompared = 500;

/**
 * The score from which on a newer instruction is taken to replace an older one, where so many hold: the more there are,
 * the likelier one of them resembles it by chance (ADR 122).
 */
const minLikelyScore = (holding: number): number => 0.2 + Math.log(holding) / 2.5;
/** A possible instruction that changes an older one is active where it scores this much more (ADR 168). */
const moreForPossible = 1.5;
/** Newest instructions on something in common that each new one is weighed against. */
const maxWeighed = 20;

/**
 * The state of each instruction. A newer one retires the older ones on the same matter, for certain or likely; a
 * dismissed one neither holds nor retires; what a person approved is retired only by what was said after that. What is
 * only possible ends for certain alone, and retires nothing but an older possible one that says the same, and a ban that
 * it lifts; where it clearly changes an older instruction, or goes back to what one rules out, it is one. In the order
 * of the thread.
 */
export function withStates(instructions: readonly Instruction[]): InstructionWithState[] {
  const all = [...instructions].sort(asSaid).map((one): InstructionWithState => ({
    ...one,
    kind: kindNow(one),
    state: stateAtFirst(one),
    retiredBySeq: null,
    mayHold: false,
  }));
  /** Those that a newer one may still end for certain. */
  const open: Compared[] = [];
  const openPossible: Compared[] = [];
  for (const one of all) {
    if (one.state === 'dismissed') continue;
    const newer = comparedBy(one);
    const goesBack =
      newer.returnsTo !== null &&
      open.slice(-maxCompared).some((older) => mayRetire(one, older.one) && goesBackOn(newer, older));
    retire(open, newer, (older) => mayRetire(one, older), 'retired');
    retire(openPossible, newer, (older) => one.seq > older.seq, 'possible');
    if (one.state === 'active' && one.kind !== 'ending') retireLikely(open, newer);
    const isChange =
      goesBack ||
      (one.state === 'possible' && !isQuestion(one.text) && retireLikely(open, newer, moreForPossible));
    if (one.state === 'possible' && isChange)
      Object.assign(one, { state: 'active', kind: kindOfWords(one.text) });
    (one.state === 'possible' ? openPossible : open).push(newer);
  }
  return all;
}

/** Those that the newer one ends for certain are open no more. What another person said may hold beside it. */
function retire(
  open: Compared[],
  newer: Compared,
  mayRetire: (older: InstructionWithState) => boolean,
  state: InstructionState,
): void {
  for (const older of open.splice(-maxCompared)) {
    if (!mayRetire(older.one) || !replaces(newer, older)) {
      open.push(older);
      continue;
    }
    const mayHold = state === 'retired' && areOfTwoPeople(newer.one, older.one);
    Object.assign(older.one, { state, retiredBySeq: newer.one.seq, mayHold });
    if (mayHold) open.push(older);
  }
}

/** Retires what a newer instruction is likely to replace, where nothing says so for certain. Says whether there is any. */
function retireLikely(open: readonly Compared[], newer: Compared, more = 0): boolean {
  const holding = open
    .slice(-maxCompared)
    .filter(({ one }) => one.state === 'active' && one.kind !== 'ending');
  const minimum = minLikelyScore(holding.length) + more;
  let weighed = 0;
  let retiresAny = false;
  for (const { one, gist } of holding.reverse()) {
    if (!mayRetire(newer.one, one) || areOnOtherTopics(newer.gist.matter, gist.matter)) continue;
    const score = replacementScore(gist, newer.gist);
    if (score > -Infinity && ++weighed > maxWeighed) break;
    if (score < minimum) continue;
    Object.assign(one, { state: 'retired', retiredBySeq: newer.one.seq, mayHold: true });
    retiresAny = true;
  }
  return retiresAny;
}

function stateAtFirst({ kind, decision }: Instruction): InstructionState {
  if (decision?.state === 'dismissed') return 'dismissed';
  return kind === 'possible' && decision === null ? 'possible' : 'active';
}

/** An instruction that a person approved is of the kind that its words say. */
const kindNow = ({ kind, text, decision }: Instruction): Instruction['kind'] =>
  kind === 'possible' && decision?.state === 'active' ? kindOfWords(text) : kind;

/** Of two people in one thread, neither has the last word on what the other one asked for. */
const areOfTwoPeople = (a: Instruction, b: Instruction): boolean =>
  a.participant !== null && b.participant !== null && a.participant !== b.participant;

const mayRetire = (newer: Instruction, older: Instruction): boolean =>
  newer.seq > older.seq && (older.decision === null || newer.seq > older.decision.atSeq);
