import { oldListHead } from '../ledger/ledger.js';

/** A piece of a summary's field that claims something: an item of a list, else a sentence. */
export interface Statement {
  field: string;
  /** Where it starts in the field, in UTF-16 units. */
  start: number;
  text: string;
}

/** A summary with more says the rest without being asked where it comes from. */
const maxStatements = 1_000;

export function statementsOf(fields: Record<string, string>): Statement[] {
  return Object.entries(fields)
    .flatMap(([field, text]) => statementsIn(text).map((statement) => ({ field, ...statement })))
    .slice(0, maxStatements);
}

function statementsIn(text: string): Omit<Statement, 'field'>[] {
  const found: Omit<Statement, 'field'>[] = [];
  for (const line of text.matchAll(/[^\n]+/g)) {
    const isItem = /^\s*([-*•]|\d+[.)])\s/.test(line[0]) || line[0].startsWith(oldListHead);
    const pieces = isItem ? [line[0]] : line[0].split(/(?<=[.!?])(?=\s)/);
    let at = line.index;
    for (const piece of pieces) {
      const sentences = piece.trim();
      if (sentences !== '') found.push({ start: at + piece.indexOf(sentences), text: sentences });
      at += piece.length;
    }
  }
  return found;
}

/**
 * The ways in which summaries name a message: our own `[217]` and `(217)`, and what models write. "error message: 404"
 * names none.
 */
const written =
  /\[(?:seqs? )?(\d{1,9}(?:\s*[-–,]\s*\d{1,9}){0,9})\]|(?<![\w#])#(\d{1,9})\b|(?<!\b(?:error|status|exit|commit) )\b(?:seqs?|messages?)[ :#]{1,2}(\d{1,9}(?:\s*[-–]\s*\d{1,9})?)/gi;
const identifierSeq = / \((\d{1,9})\)(?=;|$)/g;

/** The patterns that find citations in a statement: the list of identifiers of old versions has one form more. */
export const citationPatterns = (text: string): readonly RegExp[] =>
  text.startsWith(oldListHead) ? [written, identifierSeq] : [written];

/** The seqs from 1 to `toSeq` that a statement cites, in order. Of a range its ends. */
export function citationsIn(text: string, toSeq: number, ...patterns: readonly RegExp[]): number[] {
  const matches = (patterns.length > 0 ? patterns : citationPatterns(text)).flatMap((pattern) => [
    ...text.matchAll(pattern),
  ]);
  const seqs = matches.flatMap((match) => match.slice(1).join(' ').match(/\d+/g) ?? []).map(Number);
  return [...new Set(seqs)].filter((seq) => seq >= 1 && seq <= toSeq).sort((a, b) => a - b);
}
