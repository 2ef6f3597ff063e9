/**
 * Whether a page of this console sent the request. Browsers send Sec-Fetch-Site; older ones send Origin, which must
 * name the requested host. A request with neither is refused.
 */
export function fromThisSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host');
  return origin !== null && host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
