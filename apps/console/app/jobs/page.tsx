import type { Metadata } from 'next';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/problem-panel';
import { JobsView } from './jobs-view';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Jobs' };

export default async function JobsPage() {
  const token = await requireToken();
  const answer = await answerOf(serverApi(token).GET('/v1/queue'));
  if (!answer.ok) return <ProblemPanel problem={answer.problem} />;
  return <JobsView first={answer.data} />;
}
