import type { CountTokens } from '../tokens/counter.js';
import { instructionKinds } from './instruction.js';
import { matterOf } from './matter.js';
import type { Instruction, InstructionWithState } from './updates.js';

/** What the slot of a summary shows, with what it cost. */
export interface InstructionSlot {
  /** Empty when no instruction holds. */
  text: string;
  /** The most that it takes: rendered into this much room it comes out the same. */
  tokens: number;
  /** In the order in which they are shown. */
  shown: string[];
  /** Active ones that did not fit. */
  leftOut: string[];
}

/** The room of the slot beside a summary that is large enough for it: a dozen instructions of ordinary length. */
const minSlotTokens = 512;

/** The most tokens that the instructions may take beside a summary of this many. */
export const slotTokens = (summaryTokens: number): number =>
  Math.max(Math.min(minSlotTokens, Math.floor(summaryTokens / 2)), Math.floor(summaryTokens / 4));

const head =
  "The user's own words, by message number. They still hold unless a newer message of the user says otherwise.";
/** Kept for the line that names what did not fit. */
const overflowTokens = 60;
const maxNamed = 6;

/** Instructions that hold, the most binding and newest first. */
export function activeInstructions(all: readonly InstructionWithState[]): InstructionWithState[] {
  return all
    .filter((one) => one.state === 'active' && one.kind !== 'ending')
    .sort((a, b) => rank(a) - rank(b) || b.seq - a.seq || (a.id < b.id ? -1 : 1));
}

/** What a person added or approved binds most, then by kind. */
const rank = (one: Instruction): number =>
  one.source === 'added' || one.decision !== null
    ? -1
    : one.kind === 'ending'
      ? instructionKinds.length
      : instructionKinds.indexOf(one.kind);

/**
 * Renders the instructions that hold into at most `room` tokens. The most binding and newest are chosen; those that
 * do not fit are named with how to find them. They are shown in the order in which they were said.
 */
export function renderInstructions(
  active: readonly InstructionWithState[],
  room: number,
  count: CountTokens,
): InstructionSlot {
  const empty = { text: '', tokens: 0, shown: [], leftOut: active.map(({ id }) => id) };
  if (active.length === 0) return empty;
  const sizes = active.map((one) => count(lineOf(one)) + 1);
  const all = count(head) + 1 + sizes.reduce((sum, size) => sum + size, 0);
  const reserved = all > room ? overflowTokens : 0;
  let left = room - count(head) - 1 - reserved;
  const shown: InstructionWithState[] = [];
  const leftOut: InstructionWithState[] = [];
  active.forEach((one, i) => {
    if (sizes[i]! > left) leftOut.push(one);
    else {
      left -= sizes[i]!;
      shown.push(one);
    }
  });
  if (shown.length === 0) return empty;
  const lines = [...shown].sort((a, b) => a.seq - b.seq || (a.id < b.id ? -1 : 1)).map(lineOf);
  const text = [head, ...lines, ...(leftOut.length === 0 ? [] : [overflowLine(leftOut)])].join('\n');
  return {
    text,
    tokens: room - left,
    shown: shown.map(({ id }) => id),
    leftOut: leftOut.map(({ id }) => id),
  };
}

const lineOf = ({ seq, source, text }: Instruction): string =>
  `- [${seq}] ${source === 'added' ? 'added for you to follow' : 'user'}: ${text.replace(/\s+/g, ' ')}`;

/** Says how many are not shown and by which words a search of the thread finds them. */
function overflowLine(leftOut: readonly InstructionWithState[]): string {
  const named = leftOut.slice(0, maxNamed).map(({ seq, text }) => {
    const words = [...matterOf(text).words].slice(0, 2).join(' ');
    return `[${seq}]${words === '' ? '' : ` ${words}`}`;
  });
  const more = leftOut.length > maxNamed ? ', ...' : '';
  return `- ${leftOut.length} more hold but do not fit here: ${named.join(', ')}${more}. Search the history for these words.`;
}
