import { createHash } from 'node:crypto';
import { hashChunks, indexLines } from '@spillway/blobs';

/** The columns that describe the bytes of an output. */
export interface TextFacts {
  bytes: Uint8Array;
  lines: number;
  marks: number[];
  linesPerMark: number;
  chunkHashes: Uint8Array;
  sha256: string;
}

export function factsOf(text: string): TextFacts {
  const bytes = Buffer.from(text, 'utf8');
  const index = indexLines(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes: new Uint8Array(bytes), ...index, chunkHashes: hashChunks(bytes), sha256 };
}
