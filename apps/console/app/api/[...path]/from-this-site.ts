/**
 * Whether a page of this console sent the request. Browsers always say so in Sec-Fetch-Site; older ones in Origin,
 * which must name the host that was asked. A request that says neither is refused.
 */
export function fromThisSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host');
  return origin !== null && host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
