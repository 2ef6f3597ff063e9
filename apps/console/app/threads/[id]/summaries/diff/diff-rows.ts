import { diffArrays, diffWordsWithSpace, type Change } from 'diff';

export interface SameRows {
  kind: 'same';
  lines: string[];
}
export interface ChangedRows {
  kind: 'changed';
  before: string;
  after: string;
  words: Piece[];
}
export interface Piece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}
export type DiffRow = SameRows | ChangedRows;

export interface FieldDiff {
  rows: DiffRow[];
  /** Words. */
  added: number;
  removed: number;
}

/** Time limit for two long, unrelated texts: beyond it they count as replaced. */
const timeoutMs = 400;

/** The changes between two texts of a field: unchanged lines, and words within changed ones. */
export function diffField(before: string, after: string): FieldDiff {
  const blocks = diffArrays(linesOf(before), linesOf(after), { timeout: timeoutMs }) ?? [
    { removed: true, added: false, value: linesOf(before) },
    { removed: false, added: true, value: linesOf(after) },
  ];
  const rows: DiffRow[] = [];
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (!block.added && !block.removed) {
      rows.push({ kind: 'same', lines: block.value });
      continue;
    }
    const next = blocks[i + 1];
    const isPair = block.removed && next?.added === true;
    const [old, now] = block.added ? [[], block.value] : [block.value, isPair ? next.value : []];
    rows.push(changed(old.join('\n'), now.join('\n')));
    if (isPair) i++;
  }
  const words = rows.flatMap((row) => (row.kind === 'changed' ? row.words : []));
  return { rows, added: wordsOf(words, 'added'), removed: wordsOf(words, 'removed') };
}

function changed(before: string, after: string): ChangedRows {
  const parts: Change[] | undefined =
    before !== '' && after !== '' ? diffWordsWithSpace(before, after, { timeout: timeoutMs }) : undefined;
  const words: Piece[] = parts
    ? parts.map((part) => ({
        kind: part.added ? 'added' : part.removed ? 'removed' : 'same',
        text: part.value,
      }))
    : [
        { kind: 'removed', text: before },
        { kind: 'added', text: after },
      ];
  return { kind: 'changed', before, after, words: readable(words.filter(({ text }) => text !== '')) };
}

/** Texts with few common words are shown as a replacement. */
function readable(pieces: readonly Piece[]): Piece[] {
  const made: Piece[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed !== '') made.push({ kind: 'removed', text: removed });
    if (added !== '') made.push({ kind: 'added', text: added });
    removed = added = '';
  };
  pieces.forEach((piece, i) => {
    const isBetween = (removed !== '' || added !== '') && pieces[i + 1] !== undefined;
    if (piece.kind === 'removed') removed += piece.text;
    else if (piece.kind === 'added') added += piece.text;
    else if (isBetween && wordCount(piece.text) <= 1) {
      removed += piece.text;
      added += piece.text;
    } else {
      flush();
      made.push(piece);
    }
  });
  flush();
  return made;
}

const linesOf = (text: string): string[] => (text.trim() === '' ? [] : text.split('\n'));

const wordsOf = (pieces: readonly Piece[], kind: Piece['kind']): number =>
  pieces.filter((piece) => piece.kind === kind).reduce((sum, { text }) => sum + wordCount(text), 0);

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
