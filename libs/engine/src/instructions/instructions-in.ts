import type { SeqMessage } from '../messages/seq-message.js';
import { certain, kindByRules, kindOfSentence } from './classify.js';
import { scoreOf } from './cues/score.js';
import { isEnding } from './endings.js';
import { sentencesIn } from './own-words.js';
import type { Instruction } from './updates.js';

/** A message never gives more instructions than this: the first ones count. */
export const maxInstructionsPerMessage = 40;

/** What is read of a message. */
export type Said = Pick<SeqMessage, 'seq' | 'role' | 'text' | 'results'>;

/**
 * The standing instructions of a message, verbatim: what a user or a developer tells the assistant about how to behave
 * from now on, and what ends an earlier one. Other roles give none. Linear in the text, of which a bounded part is
 * read. The ids follow from the message, so that the same message always gives the same instructions.
 */
export function instructionsIn(message: Said): Instruction[] {
  if (message.role === 'assistant' || message.role === 'tool') return [];
  const found: Instruction[] = [];
  for (const { start, text, isRule } of sentencesIn(ownText(message))) {
    const kind = kindOf(text, isRule);
    if (kind === null) continue;
    const id = `${message.seq}-${start}`;
    found.push({ id, seq: message.seq, text: storable(text), kind, source: 'found', decision: null });
    if (found.length >= maxInstructionsPerMessage) break;
  }
  return found;
}

/** What says that something is over ends it, unless rules of grammar or certain cues make it an instruction. */
function kindOf(text: string, isRule: boolean): Instruction['kind'] | null {
  const ends = isEnding(text);
  const kind = ends && scoreOf(text) < certain ? kindByRules(text, isRule) : kindOfSentence(text, isRule);
  return kind ?? (ends ? 'ending' : null);
}

/** Without what no database takes: NUL and halves of characters. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Without the tool results that a message of the user may bring: they are nobody's words. */
const ownText = ({ text, results }: Said): string =>
  results.reduce((rest, { text: result }) => (result === '' ? rest : rest.replace(result, () => '\n')), text);
