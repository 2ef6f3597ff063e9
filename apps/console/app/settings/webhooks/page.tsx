import type { Metadata } from 'next';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/problem-panel';
import { WebhooksView } from './webhooks-view';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage() {
  const token = await requireToken();
  const answer = await answerOf(serverApi(token).GET('/v1/webhooks'));
  if (!answer.ok) return <ProblemPanel problem={answer.problem} />;
  return <WebhooksView first={answer.data} />;
}
