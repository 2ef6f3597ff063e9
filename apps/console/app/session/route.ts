import { checkKey } from './check-key';
import { readSession } from './session';

export const dynamic = 'force-dynamic';

/** Says whether this browser is signed in with a key that still works; the sign-in page asks. */
export async function GET(): Promise<Response> {
  const { key } = await readSession();
  const signedIn = key !== undefined && (await checkKey(key)) === 'works';
  return Response.json({ signed_in: signedIn }, { headers: { 'cache-control': 'no-store' } });
}
