import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { may, NeedsScope } from '../needs-scope';
import { readCurrentSession } from '../read-current-session';
import { SystemView } from './system-view';

export const dynamic = 'force-dynamic';

export default async function SystemPage() {
  const token = await requireToken();
  const session = await readCurrentSession(token);
  if (!session.ok) return <ProblemPanel problem={session.problem} />;
  if (!may(session.data, 'admin'))
    return <NeedsScope session={session.data} scope="admin" what="System settings" />;
  const api = serverApi(token);
  const [system, upstreams, webhooks] = await Promise.all([
    answerOf(api.GET('/v1/system')),
    answerOf(api.GET('/v1/upstreams')),
    answerOf(api.GET('/v1/webhooks')),
  ]);
  if (!system.ok) return <ProblemPanel problem={system.problem} />;
  return (
    <SystemView
      first={system.data}
      upstreams={upstreams.ok ? upstreams.data.data : null}
      webhooks={webhooks.ok ? webhooks.data.data : null}
    />
  );
}
