import { PageProblem } from '@/app/page-problem';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { usageQuery } from '@/app/overview/range';
import { JobsView } from './jobs-view';

export const dynamic = 'force-dynamic';

export default async function JobsPage() {
  const token = await requireToken();
  const api = serverApi(token);
  const [queue, usage] = await Promise.all([
    answerOf(api.GET('/v1/queue')),
    answerOf(api.GET('/v1/usage', { params: { query: usageQuery('24h', Date.now()) } })),
  ]);
  const about = { token, scope: 'admin', what: 'Jobs' } as const;
  if (!queue.ok) return <PageProblem {...about} problem={queue.problem} />;
  if (!usage.ok) return <PageProblem {...about} problem={usage.problem} />;
  return <JobsView first={{ queue: queue.data, usage: usage.data }} />;
}
