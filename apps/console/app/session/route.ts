import { fromThisSite } from '@/app/api/[...path]/from-this-site';
import { refuse } from '@/app/api/[...path]/refuse';
import { serverApi } from './server-api';
import { isLive } from './start-session';
import { readSession } from './session';

export const dynamic = 'force-dynamic';

/** Whether this browser has a live session, for the sign-in page. */
export async function GET(): Promise<Response> {
  const { token } = await readSession();
  const signedIn = token !== undefined && (await isLive(token));
  return Response.json({ signed_in: signedIn }, { headers: { 'cache-control': 'no-store' } });
}

/**
 * Ends the session of this browser, at the API too, so that a copied cookie is worthless. If the API does not answer,
 * the session expires.
 */
export async function DELETE(request: Request): Promise<Response> {
  if (!fromThisSite(request)) return refuse(403, 'cross_site', 'This request was not sent by the console.');
  const session = await readSession();
  if (session.token !== undefined) {
    await serverApi(session.token)
      .DELETE('/v1/sessions/current')
      .catch(() => undefined);
  }
  session.destroy();
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}
