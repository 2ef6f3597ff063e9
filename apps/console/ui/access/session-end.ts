import { notifyProblem } from '../messages/notify';
import { ProblemError } from '../messages/problem';
import { doneOf } from './browser-api';

/** While the user signs out, requests that were sent before may be refused: that must lead nowhere. */
let isSigningOut = false;

/** After a session ended by itself: goes to the sign-in page, and from there back. */
export function goToSignIn(error: unknown): void {
  if (!(error instanceof ProblemError) || error.problem.status !== 401) return;
  if (isSigningOut || window.location.pathname === '/login') return;
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
