import { decodedSegment } from '@/app/decoded-segment';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { OutputProblem } from '../output-problem';
import { OutputView } from './output-view';

export const dynamic = 'force-dynamic';

export default async function OutputPage({ params }: PageProps<'/outputs/[id]'>) {
  const id = decodedSegment((await params).id);
  const token = await requireToken();
  const answer = await answerOf(serverApi(token).GET('/v1/outputs/{id}', { params: { path: { id } } }));
  if (!answer.ok) return <OutputProblem problem={answer.problem} token={token} id={id} />;
  return <OutputView first={answer.data} />;
}
