import { notFound } from 'next/navigation';

/** A decoded segment of the URL. A segment that cannot be decoded matches no page. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    notFound();
  }
}
