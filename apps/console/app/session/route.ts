import { isLive } from './start-session';
import { readSession } from './session';

export const dynamic = 'force-dynamic';

/** Whether this browser has a live session, for the sign-in page. */
export async function GET(): Promise<Response> {
  const { token } = await readSession();
  const signedIn = token !== undefined && (await isLive(token));
  return Response.json({ signed_in: signedIn }, { headers: { 'cache-control': 'no-store' } });
}
