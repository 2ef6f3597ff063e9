import type { IsMeant } from '@spillway/service';

/** What If-Match says of a version: undefined without the header, and for `*`, which any version will do for. */
export function isMeantFor(header: string | undefined): IsMeant {
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  return (version) => tags.includes(`"${version}"`);
}
