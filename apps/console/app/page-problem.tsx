import type { Schemas } from '@spillway/client';
import { NeedsScope } from '@/app/settings/needs-scope';
import { readCurrentSession } from '@/app/settings/read-current-session';
import { ProblemPanel } from '@/ui/messages/problem-panel';

interface Props {
  problem: Schemas['Problem'];
  token: string;
  /** The scope that the page needs. */
  scope: Schemas['Scope'];
  /** What the page shows, in the plural. */
  what: string;
}

/** Why a page shows nothing. Trying again does not help a key that lacks the scope, so it is told what helps. */
export async function PageProblem({ problem, token, scope, what }: Props) {
  if (problem.status === 403) {
    const session = await readCurrentSession(token);
    if (session.ok) return <NeedsScope session={session.data} scope={scope} what={what} wholePage />;
  }
  return <ProblemPanel problem={problem} />;
}
