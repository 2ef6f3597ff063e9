import { notFound } from 'next/navigation';

/** A segment of the address as text: Next hands a page what stands there. What cannot be decoded names no page. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    notFound();
  }
}
