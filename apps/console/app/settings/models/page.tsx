import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { may, NeedsScope } from '../needs-scope';
import { readCurrentSession } from '../read-current-session';
import { ModelsView } from './models-view';

export const dynamic = 'force-dynamic';

export default async function ModelsPage() {
  const token = await requireToken();
  const session = await readCurrentSession(token);
  if (!session.ok) return <ProblemPanel problem={session.problem} />;
  if (!may(session.data, 'context:read'))
    return <NeedsScope session={session.data} scope="context:read" what="Models" />;
  const models = await answerOf(serverApi(token).GET('/v1/models'));
  if (!models.ok) return <ProblemPanel problem={models.problem} />;
  return <ModelsView first={models.data} mayChange={may(session.data, 'admin')} />;
}
