import { BlobCorrupt, BlobMissing, columnsOf, piecesFrom, type Piece } from '@spillway/blobs';
import { searchScore, type SearchTerms } from '@spillway/engine';
import { listOutputs, type OutputRow } from '@spillway/store';
import { blobOf } from './read-output.js';
import type { Runtime } from './runtime.js';

export interface OutputHit {
  seq: number;
  role: string;
  output: { id: string; line: number; column: number };
  /** The line, or the piece of a long one. */
  text: string;
}

/** One search reads outputs no longer than this, newest first; what it did not come to is told. */
const deadlineMs = 1_500;
/** Best lines of one output. */
const mostLines = 3;
const outputsAtMost = 1_000;
/** Of a longer line, pieces of this many bytes are hits on their own. */
const pieceBytes = 16_384;
/** Characters that pieces of a line share: longer than what is searched for. */
const overlap = 1_024;

/** Lines of a thread's offloaded outputs that hold the query or parts of it. */
export async function searchOutputs(
  rt: Runtime,
  of: { projectId: string; threadUid: string },
  terms: SearchTerms,
  limit: number,
): Promise<{ hits: OutputHit[]; truncated: boolean }> {
  const until = performance.now() + deadlineMs;
  const hits: OutputHit[] = [];
  const outputs = await listOutputs(rt.store, of, null, outputsAtMost);
  for (const output of outputs.filter((row) => row.state === 'ready')) {
    if (performance.now() > until) return { hits, truncated: true };
    const { best, isWhole } = await searchOutput(rt, output, terms, until);
    for (const hit of best) hits.push(hit);
    if (!isWhole) return { hits, truncated: true };
    if (hits.filter((hit) => searchScore(hit.text, terms) > terms.parts.length).length >= limit) break;
  }
  return { hits, truncated: outputs.length === outputsAtMost };
}

async function searchOutput(
  rt: Runtime,
  output: OutputRow,
  terms: SearchTerms,
  until: number,
): Promise<{ best: OutputHit[]; isWhole: boolean }> {
  const best: { score: number; hit: OutputHit }[] = [];
  try {
    const start = { line: 1, column: 0, offset: null };
    for await (const piece of overlapping(piecesFrom(rt.blobs, blobOf(output), start, pieceBytes))) {
      if (performance.now() > until) return { best: best.map(({ hit }) => hit), isWhole: false };
      const score = searchScore(piece.text, terms);
      if (score === 0 || (best.length === mostLines && score <= best.at(-1)!.score)) continue;
      const { number: line, column, text } = piece;
      const hit = {
        seq: output.seq!,
        role: 'tool',
        output: { id: output.id, line, column: column + 1 },
        text,
      };
      best.push({ score, hit });
      best.sort((a, b) => b.score - a.score);
      best.length = Math.min(best.length, mostLines);
    }
  } catch (error) {
    // Its own reads say that it is gone; a search goes on without it.
    if (!(error instanceof BlobMissing || error instanceof BlobCorrupt)) throw error;
    rt.log.error({ output: output.id, err: error }, 'an output could not be searched');
  }
  return { best: best.map(({ hit }) => hit), isWhole: true };
}

/** Each piece of a long line starts with the end of the one before, so that no word is cut in two. */
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
