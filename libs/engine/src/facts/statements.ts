/** A piece of a summary's field that claims something: an item of a list, else a sentence. */
export interface Statement {
  field: string;
  /** Where it starts in the field, in UTF-16 units. */
  start: number;
  text: string;
}

/** A summary with more says the rest without being asked where it comes from. */
export const maxStatements = 1_000;

export function statementsOf(fields: Record<string, string>): Statement[] {
  return Object.entries(fields)
    .flatMap(([field, text]) => statementsIn(text).map((statement) => ({ field, ...statement })))
    .slice(0, maxStatements);
}

function statementsIn(text: string): Omit<Statement, 'field'>[] {
  const found: Omit<Statement, 'field'>[] = [];
  for (const line of text.matchAll(/[^\n]+/g)) {
    const isItem = /^\s*([-*•]|\d+[.)])\s|^Identifiers in use/.test(line[0]);
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
