import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { may, NeedsScope } from '../needs-scope';
import { readCurrentSession } from '../read-current-session';
import { PolicyView } from './policy-view';

export const dynamic = 'force-dynamic';

/** The project's policy, or with `?thread=` a thread's own. */
export default async function PolicyPage({ searchParams }: PageProps<'/settings/policy'>) {
  const { thread } = await searchParams;
  const threadId = typeof thread === 'string' && thread !== '' ? thread : null;
  const token = await requireToken();
  const session = await readCurrentSession(token);
  if (!session.ok) return <ProblemPanel problem={session.problem} />;
  if (!may(session.data, 'context:read'))
    return <NeedsScope session={session.data} scope="context:read" what="Policies" />;
  const api = serverApi(token);
  const [schema, policy] = await Promise.all([
    answerOf(api.GET('/v1/policy/schema')),
    threadId === null
      ? answerOf(api.GET('/v1/policy'))
      : answerOf(api.GET('/v1/threads/{id}/policy', { params: { path: { id: threadId } } })),
  ]);
  if (!schema.ok) return <ProblemPanel problem={schema.problem} />;
  if (!policy.ok) return <ProblemPanel problem={policy.problem} />;
  return (
    <PolicyView
      key={threadId ?? ''}
      schema={schema.data}
      first={policy.data}
      threadId={threadId}
      mayChange={may(session.data, threadId === null ? 'admin' : 'threads:manage')}
    />
  );
}
