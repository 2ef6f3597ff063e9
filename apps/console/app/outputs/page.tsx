import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { outputsQuery, readFilters } from './output-filters';
import { OutputProblem } from './output-problem';
import { OutputsView } from './outputs-view';

export const dynamic = 'force-dynamic';

export default async function OutputsPage({ searchParams }: PageProps<'/outputs'>) {
  const key = await requireToken();
  const params = await searchParams;
  const filters = readFilters((name) => {
    const value = params[name];
    return typeof value === 'string' ? value : null;
  });
  const answer = await answerOf(
    serverApi(key).GET('/v1/outputs', { params: { query: outputsQuery(filters) } }),
  );
  if (!answer.ok) return <OutputProblem problem={answer.problem} token={key} id={null} />;
  return <OutputsView first={{ filters, page: answer.data }} />;
}
