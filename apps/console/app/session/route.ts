import { isLive } from './start-session';
import { readSession } from './session';

export const dynamic = 'force-dynamic';

/** Says whether this browser is signed in to a session that still lives; the sign-in page asks. */
export async function GET(): Promise<Response> {
  const { token } = await readSession();
  const signedIn = token !== undefined && (await isLive(token));
  return Response.json({ signed_in: signedIn }, { headers: { 'cache-control': 'no-store' } });
}
