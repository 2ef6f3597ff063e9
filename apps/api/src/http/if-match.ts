import type { IsMeant } from '@spillway/service';

/** The version that If-Match asks for. Undefined without the header and for `*`, which matches any version. */
export function isMeantFor(header: string | undefined): IsMeant {
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  return (version) => tags.includes(`"${version}"`);
}
