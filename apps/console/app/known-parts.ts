import type { Problem } from '@/ui/messages/problem';

/** What the last request to the API tells about the parts of the service. */
export interface KnownParts {
  /** `failing`: it answers, with an error. */
  api: 'up' | 'down' | 'failing';
  /** `answered`: as its last answer says. */
  postgres: 'answered' | 'down' | 'unknown';
  /** Whether the other parts are as its last answer says. */
  othersAreKnown: boolean;
}

/** An answer from before a failure tells nothing about the time since. `problem` is of the last request; null: it succeeded. */
export function knownParts(problem: Problem | null): KnownParts {
  if (problem === null) return { api: 'up', postgres: 'answered', othersAreKnown: true };
  if (problem.code === 'database_unavailable') return { api: 'up', postgres: 'down', othersAreKnown: false };
  const unanswered = problem.code === 'api_unreachable' || problem.code === 'api_timeout';
  return { api: unanswered ? 'down' : 'failing', postgres: 'unknown', othersAreKnown: false };
}

export const apiWords: Record<KnownParts['api'], string> = {
  up: 'up',
  down: 'down',
  failing: 'answers with an error',
};
