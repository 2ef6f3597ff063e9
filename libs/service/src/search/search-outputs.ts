import { BlobCorrupt, BlobMissing, columnsOf, piecesFrom, type Piece } from '@spillway/blobs';
import { BestPassages, type Passage, type SearchTerms } from '@spillway/engine';
import type { readableOutputsBetween } from '@spillway/store';
import { blobOf } from '../outputs/read-output.js';
import { asUnreadable } from '../outputs/storage-unavailable.js';
import type { Runtime } from '../runtime.js';

export type SearchedOutput = Awaited<ReturnType<typeof readableOutputsBetween>>[number];

/** Maximum of characters searched per output. A time limit would make pages differ from each other. */
const maxCharacters = 64 * 1024 * 1024;
/** A longer line is split into pieces of this many bytes. */
const pieceBytes = 4_096;
/** Overlap of pieces in characters: longer than a query. */
const overlap = 1_024;

/** Returns the best passages of an output, and whether it is too large to be searched to its end. */
export async function searchOutput(
  rt: Runtime,
  output: SearchedOutput,
  terms: SearchTerms,
): Promise<{ passages: Passage[]; cut: boolean }> {
  const best = new BestPassages(terms);
  let characters = 0;
  try {
    const start = { line: 1, column: 0, offset: null };
    for await (const piece of overlapping(piecesFrom(rt.blobs, blobOf(output), start, pieceBytes))) {
      characters += piece.text.length;
      if (characters > maxCharacters) break;
      best.add({ line: piece.number, column: piece.column, text: piece.text });
    }
  } catch (error) {
    // A read of the output reports that it is gone; the search continues without it.
    if (!(error instanceof BlobMissing || error instanceof BlobCorrupt)) throw asUnreadable(error);
    rt.log.error({ output: output.id, err: error }, 'an output could not be searched');
  }
  return { passages: best.end(), cut: characters > maxCharacters };
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
