import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { readSession } from './session';

/** The session token of a signed-in user. Others are redirected to the sign-in page and return here afterwards. */
export async function requireToken(): Promise<string> {
  const { token } = await readSession();
  return token ?? goToSignIn({ ended: false });
}

/**
 * `ended`: there was a session, and the page says why it is gone. The requested URL comes in a header of proxy.ts; a
 * layout has no other way to get it.
 */
export async function goToSignIn({ ended }: { ended: boolean }): Promise<never> {
  const here = (await headers()).get('x-here') ?? '/';
  redirect(`/login?${ended ? 'ended=yes&' : ''}next=${encodeURIComponent(here)}`);
}
