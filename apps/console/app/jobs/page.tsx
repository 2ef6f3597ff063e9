import type { Metadata } from 'next';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { usageQuery } from '@/app/overview/range';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { JobsView } from './jobs-view';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Jobs' };

export default async function JobsPage() {
  const token = await requireToken();
  const api = serverApi(token);
  const [queue, usage] = await Promise.all([
    answerOf(api.GET('/v1/queue')),
    answerOf(api.GET('/v1/usage', { params: { query: usageQuery('24h', Date.now()) } })),
  ]);
  if (!queue.ok) return <ProblemPanel problem={queue.problem} />;
  if (!usage.ok) return <ProblemPanel problem={usage.problem} />;
  return <JobsView first={{ queue: queue.data, usage: usage.data }} />;
}
