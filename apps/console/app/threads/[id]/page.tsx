import type { Metadata } from 'next';
import { decodedSegment } from '@/app/decoded-segment';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/problem-panel';
import { ThreadView } from './thread-view';

export const dynamic = 'force-dynamic';

export async function generateMetadata({ params }: PageProps<'/threads/[id]'>): Promise<Metadata> {
  return { title: decodedSegment((await params).id) };
}

export default async function ThreadPage({ params }: PageProps<'/threads/[id]'>) {
  const id = decodedSegment((await params).id);
  const api = serverApi(await requireToken());
  const path = { id };
  const [thread, context, summaries] = await Promise.all([
    answerOf(api.GET('/v1/threads/{id}', { params: { path } })),
    answerOf(api.GET('/v1/threads/{id}/context', { params: { path } })),
    answerOf(api.GET('/v1/threads/{id}/summaries', { params: { path, query: { limit: '200' } } })),
  ]);
  if (!thread.ok) return <ProblemPanel problem={thread.problem} />;
  return (
    <ThreadView
      first={{
        thread: thread.data,
        // A context may be refused (budget_too_small) while the rest of the thread is there to see.
        context: context.ok ? context.data : undefined,
        summaries: summaries.ok ? summaries.data : undefined,
      }}
    />
  );
}
