import type { IfVersion } from '@spillway/service';

/**
 * The version that If-Match asks for, with or without the quotes of an entity tag. Undefined without the header and for
 * `*`, which matches any version.
 */
export function ifVersionOf(header: string | undefined): IfVersion {
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  return (version) => tags.includes(`"${version}"`) || tags.includes(version);
}

/** Whether If-None-Match names an entity tag, by the weak comparison of RFC 9110: then the answer is 304. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ===
  true;

/**
 * The Range header, unless If-Range names something else than the entity tag: then the caller's part is of another
 * version, and RFC 9110 requires the whole. The comparison is strong, and a date never matches: no answer has one.
 */
export const applicableRange = (
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
): string | undefined => (ifRange === undefined || ifRange.trim() === etag ? range : undefined);
