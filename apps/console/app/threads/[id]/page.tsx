import { decodedSegment } from '@/app/decoded-segment';
import { PageProblem } from '@/app/page-problem';
import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { blockOf, blockQuery } from './messages/content/message-block';
import { NoThread } from './no-thread';
import { ThreadView } from './thread-view';
import { wholeIn } from './pressure/whole-in';

export const dynamic = 'force-dynamic';

export default async function ThreadPage({ params, searchParams }: PageProps<'/threads/[id]'>) {
  const id = decodedSegment((await params).id);
  const { tab, seq } = await searchParams;
  const token = await requireToken();
  const api = serverApi(token);
  const path = { id };
  const [thread, context, map] = await Promise.all([
    answerOf(api.GET('/v1/threads/{id}', { params: { path } })),
    answerOf(api.GET('/v1/threads/{id}/context', { params: { path, query: { omit: 'messages' } } })),
    answerOf(api.GET('/v1/threads/{id}/map', { params: { path } })),
  ]);
  if (!thread.ok) {
    if (thread.problem.status === 404) return <NoThread id={id} />;
    return <PageProblem problem={thread.problem} token={token} scope="context:read" what="Threads" />;
  }
  const looksAt = wholeIn(seq, thread.data.recorded_seq) ?? thread.data.recorded_seq;
  const query = blockQuery(blockOf(looksAt));
  const messages =
    tab === undefined
      ? await answerOf(api.GET('/v1/threads/{id}/messages', { params: { path, query } }))
      : undefined;
  return (
    <ThreadView
      first={{
        thread: thread.data,
        // A context may be refused (budget_too_small) while the rest of the thread can be shown.
        context: context.ok ? context.data : undefined,
        map: map.ok ? map.data : undefined,
        // Huge messages are not part of the page itself: the browser requests them afterwards.
        messages:
          messages?.ok && messages.data.next_cursor === null && isLight(messages.data)
            ? { block: blockOf(looksAt), data: messages.data.data }
            : undefined,
      }}
    />
  );
}

/** Maximum size of the data in a page, in characters. */
const maxPainted = 150_000;

const isLight = (list: object): boolean => JSON.stringify(list).length < maxPainted;
