import type { Metadata } from 'next';
import { decodedSegment } from '@/app/decoded-segment';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { OutputView } from './output-view';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = { title: 'Output' };

export default async function OutputPage({ params }: PageProps<'/outputs/[id]'>) {
  const id = decodedSegment((await params).id);
  const api = serverApi(await requireToken());
  const answer = await answerOf(api.GET('/v1/outputs/{id}', { params: { path: { id } } }));
  if (!answer.ok) return <ProblemPanel problem={answer.problem} />;
  return <OutputView first={answer.data} />;
}
