import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { may, NeedsScope } from '../needs-scope';
import { readCurrentSession } from '../read-current-session';
import { WebhooksView } from './webhooks-view';

export const dynamic = 'force-dynamic';

export default async function WebhooksPage() {
  const token = await requireToken();
  const session = await readCurrentSession(token);
  if (!session.ok) return <ProblemPanel problem={session.problem} />;
  if (!may(session.data, 'admin')) return <NeedsScope session={session.data} scope="admin" what="Webhooks" />;
  const answer = await answerOf(serverApi(token).GET('/v1/webhooks'));
  if (!answer.ok) return <ProblemPanel problem={answer.problem} />;
  return <WebhooksView first={answer.data} />;
}
