import { readSession } from '@/app/session/session';
import { forward } from './forward';
import { fromThisSite } from './from-this-site';
import { refuse } from './refuse';

export const dynamic = 'force-dynamic';

/** Forwards requests of the browser to the API: same path, with the session's token, which the browser never sees. */
async function handle(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  // Taken from the parsed URL: `..` is resolved by now, and an escaped slash in an id stays escaped.
  const path = pathname.slice('/api'.length);
  if (!path.startsWith('/v1/')) return refuse(404, 'not_found', 'The console forwards /v1 only.');
  if (request.method !== 'GET' && !fromThisSite(request)) {
    return refuse(403, 'cross_site', 'This request was not sent by the console.');
  }
  const { token } = await readSession();
  if (!token) return refuse(401, 'signed_out', 'Your session ended. Sign in again.');
  return forward(request, path + search, token);
}

export { handle as GET, handle as POST, handle as PATCH, handle as PUT, handle as DELETE };
