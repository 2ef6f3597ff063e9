/** A path on this site, whatever the link contains: `//elsewhere` and `/\elsewhere` name other hosts. */
export const localPath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path) ? path : '/';
