import { ownCopy } from '../messages/own-copy.js';

/** Tokens of a text. */
type Count = (text: string) => number;

/**
 * Maximum length of a piece whose count is kept. V8 makes a copy of a slice up to this length; a longer slice refers to
 * the whole text, which would stay in memory as long as the slice is a key.
 */
const maxLength = 12;
/** Pieces that are kept: about 2 MB. Ordinary text uses far fewer. */
const maxPieces = 20_000;
/**
 * Longer pieces (names of code, base64, runs of one character) take the most time, quadratic in their length, and come
 * again when a text is fitted into a limit. Their counts are kept under copies of them, where half of a
 * character counts as the U+FFFD that it is encoded as: at most 2 MB.
 */
const maxLongLength = 512;
const maxLongPieces = 2_000;

/**
 * Counts as the encoding does, which splits a text by a regular expression and counts each piece by itself. The counts
 * of short pieces are kept, and no match object is made for each of them: these were a quarter of what an append
 * allocates. Each piece, taken alone, is split into itself, so the sum is the count of the text.
 */
export function countByPieces(count: Count, split: RegExp): Count {
  // Sticky: characters that no alternative matches end the walk, and are not skipped silently.
  const next = new RegExp(split.source, 'yu');
  const kept = new Map<string, number>();
  const keptLong = new Map<string, number>();

  const ofPiece = (piece: string): number => {
    if (piece.length > maxLongLength) return count(piece);
    const isLong = piece.length > maxLength;
    const counts = isLong ? keptLong : kept;
    const known = counts.get(piece);
    if (known !== undefined) return known;
    const tokens = count(piece);
    if (counts.size >= (isLong ? maxLongPieces : maxPieces)) counts.clear();
    counts.set(isLong ? ownCopy(piece) : piece, tokens);
    return tokens;
  };

  return (text) => {
    let total = 0;
    let from = 0;
    next.lastIndex = 0;
    while (next.test(text)) {
      total += ofPiece(text.slice(from, next.lastIndex));
      from = next.lastIndex;
    }
    return from === text.length ? total : total + count(text.slice(from));
  };
}
