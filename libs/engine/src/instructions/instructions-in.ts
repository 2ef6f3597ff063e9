import { ownCopy } from '../messages/own-copy.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { verdictOn, type Look } from './classify.js';
import { isEnding } from './endings.js';
import { sentencesIn } from './own-words.js';
import type { Instruction } from './updates.js';

/** A message never gives more instructions than this, each once: the first ones count. */
export const maxInstructionsPerMessage = 40;

/** Of those that may be one, a message gives at most this many: a person says few things at once. */
export const maxPossiblePerMessage = 10;

/** What is read of a message. */
export type Said = Pick<SeqMessage, 'seq' | 'role' | 'text' | 'results'>;

/**
 * The standing instructions of a message, verbatim: what a user or a developer tells the assistant about how to behave
 * from now on, what may be meant so (`possible`), and what ends an earlier one. Other roles give none. Linear in the text, of which a bounded part is
 * read. The ids follow from the message, so that the same message always gives the same instructions.
 */
export function instructionsIn(message: Said): Instruction[] {
  if (message.role === 'assistant' || message.role === 'tool') return [];
  const found: Instruction[] = [];
  const binding = new Set<string>();
  const possible = new Set<string>();
  for (const { start, text, isRule } of sentencesIn(ownText(message))) {
    const kind = judge(text, { isRule, orPossible: possible.size < maxPossiblePerMessage });
    const alike = kind === 'possible' ? possible : binding;
    if (kind === null || binding.has(text) || alike.has(text)) continue;
    alike.add(text);
    const id = `${message.seq}-${start}`;
    found.push({ id, seq: message.seq, text: storable(text), kind, source: 'found', decision: null });
    if (binding.size >= maxInstructionsPerMessage) break;
  }
  return found;
}

type Kind = Instruction['kind'] | null;

/** Judgements of sentences by how they were looked at, so that none is judged twice: at most about two megabytes. */
const judged = Array.from({ length: 4 }, () => new Map<string, Kind>());
const maxJudged = 1_000;
const maxJudgedLength = 400;

/**
 * The kind of a sentence. A dozen rules and a score take about 0.1 ms, and the same sentences come again: every fold,
 * preview and list of instructions reads the newest messages, and many agents repeat a reminder with each message.
 */
function judge(text: string, look: Required<Omit<Look, 'isEnding'>>): Kind {
  if (text.length > maxJudgedLength) return kindOf(text, look);
  const known = judged[Number(look.isRule) + 2 * Number(look.orPossible)]!;
  const before = known.get(text);
  if (before !== undefined) return before;
  const kind = kindOf(text, look);
  if (known.size >= maxJudged) known.clear();
  known.set(ownCopy(text), kind);
  return kind;
}

/** What says that something is over ends it, unless it is an instruction itself. */
function kindOf(text: string, look: Look): Kind {
  const ends = isEnding(text);
  const verdict = verdictOn(text, { ...look, isEnding: ends });
  return ends && (verdict === null || verdict === 'possible') ? 'ending' : verdict;
}

/** Without what no database takes: NUL and halves of characters. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Without the tool results that a message of the user may bring: they are nobody's words. */
const ownText = ({ text, results }: Said): string =>
  results.reduce((rest, { text: result }) => (result === '' ? rest : rest.replace(result, () => '\n')), text);
