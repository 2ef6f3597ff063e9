/** Only resolves paths: no request goes there. */
const site = 'http://console.invalid';

/**
 * A path on this site, whatever a link contains, in the form that a browser makes of it: `//elsewhere` and `/\elsewhere`
 * name other hosts, and `/.//elsewhere` becomes such a name once its dot is resolved.
 */
export function localPath(path: string | undefined): string {
  if (!path?.startsWith('/') || /[\p{Cc}\\]/u.test(path) || !URL.canParse(path, site)) return '/';
  const { origin, pathname, search, hash } = new URL(path, site);
  return origin === site && !pathname.includes('//') ? pathname + search + hash : '/';
}
