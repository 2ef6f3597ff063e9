import { participantOf } from '../messages/participant.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { verdictOn, type Look } from './classify.js';
import { isEnding } from './endings.js';
import { sentencesIn } from './own-words.js';
import { readingOf } from './reading.js';
import type { Instruction } from './instruction.js';
import { returnsTo } from './replacement/returns.js';

/** A message never gives more instructions than this, each once: the first ones count. */
export const maxInstructionsPerMessage = 40;

/** Of those that may be one, a message gives at most this many: a person says few things at once. */
export const maxPossiblePerMessage = 10;

/** The fields of a message that instructions are found in. */
export type InstructionSource = Pick<SeqMessage, 'seq' | 'role' | 'name' | 'speech'>;

/**
 * The standing instructions of a message, verbatim: what a user or a developer tells the assistant about how to behave
 * from now on, what may be meant so (`possible`), and what ends an earlier one. Other roles give none. Linear in the
 * text, of which a bounded part is read. The ids follow from the message, so that the same message always gives the same
 * instructions.
 */
export function instructionsIn(message: InstructionSource): Instruction[] {
  if (message.role === 'assistant' || message.role === 'tool') return [];
  const found: Instruction[] = [];
  const { seq } = message;
  const participant = participantOf(message);
  const binding = new Set<string>();
  const possible = new Set<string>();
  for (const { start, text, isRule } of sentencesIn(message.speech)) {
    const kind = judge(text, { isRule, orPossible: possible.size < maxPossiblePerMessage });
    const alike = kind === 'possible' ? possible : binding;
    if (kind === null || binding.has(text) || alike.has(text)) continue;
    alike.add(text);
    const id = `${seq}-${start}`;
    found.push({ id, seq, participant, text: storable(text), kind, source: 'found', decision: null });
    if (binding.size >= maxInstructionsPerMessage) break;
  }
  return found;
}

type Kind = Instruction['kind'] | null;

/** Judges a sentence, once for each way to look at it. */
function judge(text: string, look: Required<Pick<Look, 'isRule' | 'orPossible'>>): Kind {
  const { kinds } = readingOf(text);
  const name = `${look.isRule ? 'rule' : 'sentence'}${look.orPossible ? ', or possible' : ''}` as const;
  const known = kinds[name];
  return known === undefined ? (kinds[name] = kindOf(text, look)) : known;
}

/** A sentence that says that something is over is an ending, unless it is an instruction itself. */
function kindOf(text: string, look: Look): Kind {
  const ends = isEnding(text);
  const verdict = verdictOn(text, { ...look, isEnding: ends });
  if (ends && (verdict === null || verdict === 'possible')) return 'ending';
  // "Go back to 8080." has too few words to be judged by: it changes what rules 8080 out.
  return verdict === null && look.orPossible && returnsTo(text) !== null ? 'possible' : verdict;
}

/** Without what no database takes: NUL and halves of characters. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
