import { FirstRun } from './overview/first-run/first-run';
import { OverviewView } from './overview/overview-view';
import { rangeOf, usageQuery } from './overview/range';
import { PageProblem } from './page-problem';
import { publicApiUrl } from './session/api-url';
import { requireToken } from './session/require-token';
import { answerOf, serverApi } from './session/server-api';

export const dynamic = 'force-dynamic';
/** Absolute: the template of a layout is for the folders below it, and this page is beside it. */

/** The overview of the project; before its first thread, the first steps. */
export default async function OverviewPage({ searchParams }: PageProps<'/'>) {
  const token = await requireToken();
  const { range: asked } = await searchParams;
  const range = rangeOf(typeof asked === 'string' ? asked : null);
  const api = serverApi(token);
  const [threads, usage, attention] = await Promise.all([
    answerOf(api.GET('/v1/threads', { params: { query: { limit: 1 } } })),
    answerOf(api.GET('/v1/usage', { params: { query: usageQuery(range, Date.now()) } })),
    answerOf(api.GET('/v1/attention')),
  ]);
  for (const answer of [threads, usage, attention])
    if (!answer.ok)
      return <PageProblem problem={answer.problem} token={token} scope="context:read" what="Threads" />;
  if (!threads.ok || !usage.ok || !attention.ok) return null;
  if (threads.data.data.length === 0) return <FirstRun apiUrl={publicApiUrl()} />;
  return <OverviewView first={{ range, usage: usage.data, attention: attention.data }} />;
}
