import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { readSession } from './session';

/** The session token of who is signed in. Everybody else goes to the sign-in page, and back here afterwards. */
export async function requireToken(): Promise<string> {
  const { token } = await readSession();
  return token ?? goToSignIn();
}

/** The address that was asked for comes in a header from proxy.ts; a layout has no other way to know it. */
export async function goToSignIn(): Promise<never> {
  const here = (await headers()).get('x-here') ?? '/';
  redirect(`/login?next=${encodeURIComponent(here)}`);
}
