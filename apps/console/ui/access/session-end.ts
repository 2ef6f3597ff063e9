import { notifyProblem } from '../messages/notify';
import { ProblemError } from '../messages/problem';
import { doneOf } from './browser-api';

/** While the user signs out, requests that were sent before may be refused: that must lead nowhere. */
let isSigningOut = false;
let hasEndedByItself = false;

/** How the session of this document ended; null while it lasts. A link may lead to the sign-in page by then. */
export function sessionEnd(): 'by the user' | 'by itself' | null {
  if (isSigningOut) return 'by the user';
  return hasEndedByItself || window.location.pathname === '/login' ? 'by itself' : null;
}

/** After a session ended by itself: goes to the sign-in page, and from there back. */
export function goToSignIn(error: unknown): void {
  if (!(error instanceof ProblemError) || error.problem.status !== 401) return;
  if (isSigningOut || window.location.pathname === '/login') return;
  hasEndedByItself = true;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login?ended=yes&next=${encodeURIComponent(here)}`);
}

/** Ends the session and loads the sign-in page anew, so that nothing read with the session stays in memory. */
export async function signOut(): Promise<void> {
  isSigningOut = true;
  try {
    await doneOf(fetch('/session', { method: 'DELETE' }).then((response) => ({ response })));
    window.location.assign('/login');
  } catch (error) {
    isSigningOut = false;
    notifyProblem(error);
  }
}
