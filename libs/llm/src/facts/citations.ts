/** The ways in which summaries name a message: our own `[217]` and `(217)`, and what models write. */
const written =
  /\[(?:seqs? )?(\d{1,9}(?:\s*[-–,]\s*\d{1,9}){0,9})\]|(?<![\w#])#(\d{1,9})\b|\b(?:seqs?|messages?)[ :#]{1,2}(\d{1,9}(?:\s*[-–]\s*\d{1,9})?)/gi;
const identifierSeq = / \((\d{1,9})\)(?=;|$)/g;

/** The seqs from 1 to `toSeq` that a statement cites, in order. Of a range its ends. */
export function citationsIn(text: string, toSeq: number): number[] {
  const isList = text.startsWith('Identifiers in use');
  const matches = [...text.matchAll(written), ...(isList ? text.matchAll(identifierSeq) : [])];
  const seqs = matches.flatMap((match) => match.slice(1).join(' ').match(/\d+/g) ?? []).map(Number);
  return [...new Set(seqs)].filter((seq) => seq >= 1 && seq <= toSeq).sort((a, b) => a - b);
}
