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
  const system = await answerOf(serverApi(token).GET('/v1/system'));
  if (!system.ok) return <ProblemPanel problem={system.problem} />;
  return <SystemView first={system.data} />;
}
