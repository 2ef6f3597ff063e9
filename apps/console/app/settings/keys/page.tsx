import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { may, NeedsScope } from '../needs-scope';
import { readCurrentSession } from '../read-current-session';
import { KeysView } from './keys-view';

export const dynamic = 'force-dynamic';

export default async function KeysPage() {
  const token = await requireToken();
  const session = await readCurrentSession(token);
  if (!session.ok) return <ProblemPanel problem={session.problem} />;
  if (!may(session.data, 'admin')) return <NeedsScope session={session.data} scope="admin" what="API keys" />;
  const keys = await answerOf(serverApi(token).GET('/v1/keys'));
  if (!keys.ok) return <ProblemPanel problem={keys.problem} />;
  return <KeysView first={keys.data} ownKeyId={session.data.key.id} />;
}
