import { constants, inflateSync } from 'node:zlib';

const page = /\/Type\s*\/Page(?![A-Za-z])/g;
/** Most PDFs since version 1.5 keep their objects, and so their pages, in compressed streams. */
const objectStream = /\/ObjStm\b[\s\S]{0,400}?\bstream\r?\n/g;
const maxInflated = 4 * 1024 * 1024;
/** What is inflated of one file: a file made to take long is counted by what was seen of it until then. */
const maxInflatedInAll = 32 * 1024 * 1024;
/** For a file whose pages cannot be seen, such as an encrypted one. */
const bytesPerPage = 20_000;

/** Number of pages of a PDF, at least 1. A file that was changed may hold a page twice, and counts it twice. */
export function pdfPages(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  let pages = pagesIn(text);
  let left = maxInflatedInAll;
  for (const { index, 0: head } of text.matchAll(objectStream)) {
    if (left <= 0) break;
    const start = index + head.length;
    const end = text.indexOf('endstream', start);
    if (end < 0) break;
    const objects = inflated(bytes.subarray(start, end));
    left -= objects?.length ?? maxInflated;
    if (objects) pages += pagesIn(objects.toString('latin1'));
  }
  return pages || Math.ceil(bytes.length / bytesPerPage);
}

const pagesIn = (text: string): number => text.match(page)?.length ?? 0;

/** Undefined for what is not compressed with deflate, or is damaged or encrypted. */
function inflated(data: Buffer): Buffer | undefined {
  try {
    // The bytes before `endstream` may be a line break, which is no part of the data.
    return inflateSync(data, { maxOutputLength: maxInflated, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}
