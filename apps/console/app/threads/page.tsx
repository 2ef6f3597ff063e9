import { PageProblem } from '@/app/page-problem';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { readFilters } from './filters/thread-filters';
import { threadQuery } from './filters/thread-query';
import { ThreadsView } from './threads-view';

export const dynamic = 'force-dynamic';

export default async function ThreadsPage({ searchParams }: PageProps<'/threads'>) {
  const key = await requireToken();
  const params = await searchParams;
  const filters = readFilters((name) => {
    const value = params[name];
    return typeof value === 'string' ? value : null;
  });
  const answer = await answerOf(
    serverApi(key).GET('/v1/threads', { params: { query: threadQuery(filters) } }),
  );
  if (!answer.ok)
    return <PageProblem problem={answer.problem} token={key} scope="context:read" what="Threads" />;
  return <ThreadsView first={{ filters, page: answer.data }} />;
}
