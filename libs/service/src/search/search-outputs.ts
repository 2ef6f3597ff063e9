import { BlobCorrupt, BlobMissing, columnsOf, piecesFrom, type Piece } from '@spillway/blobs';
import { searchScore, type SearchTerms } from '@spillway/engine';
import type { readableOutputsBetween } from '@spillway/store';
import { blobOf } from '../outputs/read-output.js';
import type { Runtime } from '../runtime.js';
import type { Found } from './search-hit.js';

export type SearchedOutput = Awaited<ReturnType<typeof readableOutputsBetween>>[number];

/** Maximum of lines from one output. */
const maxLines = 3;
/** Maximum of characters searched per output. A time limit would make pages differ from each other. */
const maxCharacters = 64 * 1024 * 1024;
/** A longer line is split into pieces of this many bytes, each a hit of its own. */
const pieceBytes = 16_384;
/** Overlap of pieces in characters: longer than a query. */
const overlap = 1_024;

/** Returns the best lines of an output, and whether it is too large to be searched to its end. */
export async function searchOutput(
  rt: Runtime,
  output: SearchedOutput,
  terms: SearchTerms,
): Promise<{ found: Found[]; cut: boolean }> {
  const best: { score: number; found: Found }[] = [];
  let characters = 0;
  try {
    const start = { line: 1, column: 0, offset: null };
    for await (const piece of overlapping(piecesFrom(rt.blobs, blobOf(output), start, pieceBytes))) {
      characters += piece.text.length;
      if (characters > maxCharacters) break;
      const score = searchScore(piece.text, terms);
      if (score === 0 || (best.length === maxLines && score <= best.at(-1)!.score)) continue;
      const { number: line, column, text } = piece;
      const where = { id: output.id, line, column: column + 1 };
      best.push({ score, found: { seq: output.seq!, role: 'tool', output: where, text } });
      best.sort((a, b) => b.score - a.score);
      best.length = Math.min(best.length, maxLines);
    }
  } catch (error) {
    // A read of the output reports that it is gone; the search continues without it.
    if (!(error instanceof BlobMissing || error instanceof BlobCorrupt)) throw error;
    rt.log.error({ output: output.id, err: error }, 'an output could not be searched');
  }
  return { found: best.map(({ found }) => found), cut: characters > maxCharacters };
}

/** Each piece of a long line starts with the end of the one before, so that no word is split. */
async function* overlapping(batches: AsyncIterable<Piece[]>): AsyncGenerator<Piece> {
  let carried = '';
  for await (const pieces of batches) {
    for (const piece of pieces) {
      const column = piece.column - columnsOf(carried);
      yield carried === '' ? piece : { ...piece, column, text: carried + piece.text };
      carried = piece.isEnd ? '' : piece.text.slice(-overlap).replace(/^[\uDC00-\uDFFF]/, '');
    }
  }
}
