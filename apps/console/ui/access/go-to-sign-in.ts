import { ProblemError } from '../messages/problem';

/** After a session ended: goes to the sign-in page, and from there back. */
export function goToSignIn(error: unknown): void {
  if (!(error instanceof ProblemError) || error.problem.status !== 401) return;
  if (window.location.pathname === '/login') return;
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login?next=${encodeURIComponent(here)}`);
}
