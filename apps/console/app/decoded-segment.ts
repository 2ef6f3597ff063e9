import { notFound } from 'next/navigation';

/** A decoded segment of the URL; null when it cannot be decoded, so that it matches no page. */
export function segmentText(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The same for the page at that URL: there is none when the segment cannot be decoded. */
export const decodedSegment = (segment: string): string => segmentText(segment) ?? notFound();
