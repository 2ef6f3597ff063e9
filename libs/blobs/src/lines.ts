import type { BlobStore } from './blob-store.js';
import { linesPerMark } from './line-index.js';
import { readVerified, type HashedBlob } from './verified.js';

export interface IndexedBlob extends HashedBlob {
  /** Offset of every 256th line. */
  marks: readonly number[];
}

/** Lines longer than this are cut when they are read as lines; their bytes are there by Range. */
export const longestLine = 65_536;

export interface Line {
  number: number;
  text: string;
}

/**
 * Lines from `first` on, one at a time, starting at the nearest mark. Memory is bounded by the longest line shown,
 * whatever the blob holds. Invalid UTF-8 can't occur: blobs of text are written from strings.
 */
export async function* linesFrom(store: BlobStore, blob: IndexedBlob, first: number): AsyncGenerator<Line> {
  if (blob.bytes === 0) return;
  const mark = Math.min(Math.floor((first - 1) / linesPerMark), blob.marks.length - 1);
  const stream = readVerified(store, blob, { start: blob.marks[mark] ?? 0, end: blob.bytes });
  let number = mark * linesPerMark + 1;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (part: Buffer) => {
    const room = longestLine - heldBytes;
    if (room > 0) held.push(part.subarray(0, room));
    heldBytes += part.length;
  };
  const take = (): Line => {
    const cut = heldBytes - longestLine;
    const text = Buffer.concat(held).toString('utf8').replace(/\r$/, '');
    held = [];
    heldBytes = 0;
    return {
      number: number++,
      text: cut > 0 ? `${text.replace(/\uFFFD+$/, '')} [... ${cut} more bytes in this line]` : text,
    };
  };

  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      hold(chunk.subarray(from, at));
      from = at + 1;
      const line = take();
      if (line.number >= first) yield line;
    }
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  if (heldBytes > 0) {
    const line = take();
    if (line.number >= first) yield line;
  }
}
