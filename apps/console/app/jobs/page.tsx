import type { Metadata } from 'next';
import { requireKey } from '@/app/session/require-key';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/problem-panel';
import { JobsView } from './jobs-view';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Jobs' };

export default async function JobsPage() {
  const key = await requireKey();
  const answer = await answerOf(serverApi(key).GET('/v1/queue'));
  if (!answer.ok) return <ProblemPanel problem={answer.problem} />;
  return <JobsView first={answer.data} />;
}
