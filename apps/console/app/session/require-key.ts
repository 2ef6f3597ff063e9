import { redirect } from 'next/navigation';
import { readSession } from './session';

/** The API key of who is signed in; sends everybody else to the sign-in page and back here afterwards. */
export async function requireKey(path: string): Promise<string> {
  const { key } = await readSession();
  if (!key) redirect(signInPath(path));
  return key;
}

export const signInPath = (path: string): string => `/login?next=${encodeURIComponent(path)}`;
