import { speakerName } from '../messages/participant.js';
import type { CountTokens } from '../tokens/counter.js';
import { likelihoodOf } from './classify.js';
import { matterOf } from './matter.js';
import {
  asSaid,
  byPlace,
  instructionKinds,
  type Instruction,
  type InstructionWithState,
} from './instruction.js';

/** The rendered slot of a summary, with its tokens. */
export interface InstructionSlot {
  /** Empty when nothing is shown. */
  text: string;
  /** Maximum tokens of the text: rendered within this many it comes out the same. */
  tokens: number;
  /** The part of them that possible instructions take. */
  possibleTokens: number;
  /** In the order in which they are shown. */
  shown: string[];
  /** Those that did not fit. */
  leftOut: string[];
}

/** Tokens of the slot beside a summary of ordinary size: two dozen instructions of ordinary length. */
const minSlotTokens = 1_024;
/** The same for possible instructions. */
const minPossibleTokens = 128;

/** Maximum tokens of the slot of instructions. */
export interface SlotRoom {
  /** For the instructions that hold. */
  active: number;
  /** For possible ones, beside them. */
  possible: number;
  /** For both, where a plan has fixed it: what holds goes first. */
  total: number | null;
}

/** Returns the maximum tokens of the instructions beside a summary of this many tokens. */
export function slotRoom(summaryTokens: number, total: number | null = null): SlotRoom {
  const part = (share: number): number => Math.floor(summaryTokens / share);
  return {
    active: Math.max(Math.min(minSlotTokens, summaryTokens), part(4)),
    possible: Math.max(Math.min(minPossibleTokens, part(8)), part(16)),
    total,
  };
}

/** Tokens of the tags around the slot. */
export const slotTagTokens = 24;

/** The tokens that a plan reserves for a rendered slot: for active instructions, and beside them for possible ones. */
export function reservedFor({ tokens, possibleTokens }: InstructionSlot): {
  instructionTokens: number;
  possibleTokens: number;
} {
  const active = tokens - possibleTokens;
  if (active > 0) return { instructionTokens: active + slotTagTokens, possibleTokens };
  return { instructionTokens: 0, possibleTokens: possibleTokens === 0 ? 0 : possibleTokens + slotTagTokens };
}

const head =
  "The user's own words, by message number. They still hold unless a newer message of the user says otherwise.";
const possibleHead = 'Said by the user, may still hold:';
/** Tokens of the line that names the instructions that did not fit. */
const overflowTokens = 60;
const maxNamed = 6;
/** The same among possible ones, of which the line names one only. */
const possibleOverflowTokens = 16;

/** Instructions that hold, the most binding and newest first. */
export function activeInstructions(all: readonly InstructionWithState[]): InstructionWithState[] {
  return all
    .filter((one) => one.state === 'active' && one.kind !== 'ending')
    .sort((a, b) => rank(a) - rank(b) || b.seq - a.seq || byPlace(a, b));
}

/** Possible instructions are chosen from this many of the newest. */
const maxPossible = 200;

/**
 * What may hold and nothing newer ended for certain, the likeliest first: of two that are as likely, the newer one.
 */
export function possibleInstructions(all: readonly InstructionWithState[]): InstructionWithState[] {
  return all
    .filter((one) => one.mayHold || (one.state === 'possible' && one.retiredBySeq === null))
    .sort((a, b) => b.seq - a.seq || byPlace(a, b))
    .slice(0, maxPossible)
    .map((one) => ({ one, likelihood: likelihoodOf(one.text) }))
    .sort((a, b) => b.likelihood - a.likelihood)
    .map(({ one }) => one);
}

/** What a person added or approved binds most, then by kind. */
const rank = (one: Instruction): number =>
  one.source === 'added' || one.decision !== null
    ? -1
    : one.kind === 'ending' || one.kind === 'possible'
      ? instructionKinds.length
      : instructionKinds.indexOf(one.kind);

/**
 * Renders what holds, and under a heading of its own what may hold. The most binding and newest, and the likeliest, are
 * chosen; those that do not fit are named with how to find them. They are shown in the order in which they were said.
 */
export function renderInstructions(
  all: readonly InstructionWithState[],
  room: SlotRoom,
  count: CountTokens,
): InstructionSlot {
  const total = room.total ?? Infinity;
  const possible = possibleInstructions(all);
  let maybe = renderPart(possible, Math.min(room.possible, total), count, possiblePart);
  // A plan may have more room than a slot: the instructions that hold may take it.
  const rest = room.total === null ? 0 : total - maybe.tokens;
  const activeRoom = Math.max(Math.min(room.active, total), rest);
  const active = renderPart(activeInstructions(all), activeRoom, count, activePart);
  if (maybe.tokens > total - active.tokens)
    maybe = renderPart(possible, total - active.tokens, count, possiblePart);
  return {
    text: [active.text, maybe.text].filter((text) => text !== '').join('\n'),
    tokens: active.tokens + maybe.tokens,
    possibleTokens: maybe.tokens,
    shown: [...active.shown, ...maybe.shown],
    leftOut: [...active.leftOut, ...maybe.leftOut],
  };
}

interface Part {
  head: string;
  overflowTokens: number;
  /** Says how many are not shown and by which words a search of the thread finds them. */
  overflowLine: (leftOut: readonly InstructionWithState[]) => string;
}

const activePart: Part = {
  head,
  overflowTokens,
  overflowLine: (leftOut) =>
    `- ${leftOut.length} more hold but do not fit here: ${namesOf(leftOut)}. Search the history for these words.`,
};
const possiblePart: Part = {
  head: possibleHead,
  overflowTokens: possibleOverflowTokens,
  overflowLine: (leftOut) => `- ${leftOut.length} more do not fit here, such as [${leftOut[0]!.seq}].`,
};

/** Chooses in the order given. */
function renderPart(
  wanted: readonly InstructionWithState[],
  room: number,
  count: CountTokens,
  { head, overflowTokens, overflowLine }: Part,
): Omit<InstructionSlot, 'possibleTokens'> {
  const empty = { text: '', tokens: 0, shown: [], leftOut: wanted.map(({ id }) => id) };
  if (wanted.length === 0) return empty;
  const sizes = wanted.map((one) => count(lineOf(one)) + 1);
  const all = count(head) + 1 + sizes.reduce((sum, size) => sum + size, 0);
  const reserved = all > room ? overflowTokens : 0;
  let left = room - count(head) - 1 - reserved;
  const shown: InstructionWithState[] = [];
  const leftOut: InstructionWithState[] = [];
  wanted.forEach((one, i) => {
    if (sizes[i]! > left) leftOut.push(one);
    else {
      left -= sizes[i]!;
      shown.push(one);
    }
  });
  if (shown.length === 0) return empty;
  const lines = [...shown].sort(asSaid).map(lineOf);
  const text = [head, ...lines, ...(leftOut.length === 0 ? [] : [overflowLine(leftOut)])].join('\n');
  return {
    text,
    tokens: room - left,
    shown: shown.map(({ id }) => id),
    leftOut: leftOut.map(({ id }) => id),
  };
}

const lineOf = ({ seq, participant, source, text, mayHold, retiredBySeq }: InstructionWithState): string => {
  const by = source === 'added' ? 'added for you to follow' : speakerName({ role: 'user', participant });
  const doubt = mayHold ? ` (perhaps replaced by [${retiredBySeq}])` : '';
  // Verbatim, on one line.
  return `- [${seq}] ${by}: ${text.replace(/\s*[\r\n]+\s*/g, ' ')}${doubt}`;
};

/** Their messages, each with two of its words. */
function namesOf(leftOut: readonly InstructionWithState[]): string {
  const named = leftOut.slice(0, maxNamed).map(({ seq, text }) => {
    const words = [...matterOf(text).words].slice(0, 2).join(' ');
    return `[${seq}]${words === '' ? '' : ` ${words}`}`;
  });
  return `${named.join(', ')}${leftOut.length > maxNamed ? ', ...' : ''}`;
}
