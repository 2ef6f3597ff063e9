import { BlobCorrupt, BlobMissing, linesFrom } from '@spillway/blobs';
import { searchScore, type SearchTerms } from '@spillway/engine';
import { listOutputs, type OutputRow } from '@spillway/store';
import { blobOf } from './read-output.js';
import type { Runtime } from './runtime.js';

export interface OutputHit {
  seq: number;
  role: string;
  output: { id: string; line: number };
  /** The line. */
  text: string;
}

/** One search reads outputs no longer than this, newest first; what it did not come to is told. */
const deadlineMs = 1_500;
/** Best lines of one output. */
const mostLines = 3;
const outputsAtMost = 1_000;

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
    for (const hit of await searchOutput(rt, output, terms, until)) hits.push(hit);
    if (hits.filter((hit) => searchScore(hit.text, terms) > terms.parts.length).length >= limit) break;
  }
  return { hits, truncated: outputs.length === outputsAtMost };
}

async function searchOutput(
  rt: Runtime,
  output: OutputRow,
  terms: SearchTerms,
  until: number,
): Promise<OutputHit[]> {
  const best: { score: number; hit: OutputHit }[] = [];
  try {
    for await (const line of linesFrom(rt.blobs, blobOf(output), 1)) {
      if (line.number % 1_000 === 0 && performance.now() > until) break;
      const score = searchScore(line.text, terms);
      if (score === 0 || (best.length === mostLines && score <= best.at(-1)!.score)) continue;
      const hit = {
        seq: output.seq!,
        role: 'tool',
        output: { id: output.id, line: line.number },
        text: line.text,
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
  return best.map(({ hit }) => hit);
}
