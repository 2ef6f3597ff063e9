import { requireToken } from '@/app/session/require-token';
import { answerOf, serverApi } from '@/app/session/server-api';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { may, NeedsScope } from '../needs-scope';
import { readCurrentSession } from '../read-current-session';
import { auditQueryOf, readAuditFilters } from './audit-filters';
import { AuditView } from './audit-view';

export const dynamic = 'force-dynamic';

export default async function AuditPage({ searchParams }: PageProps<'/settings/audit'>) {
  const token = await requireToken();
  const session = await readCurrentSession(token);
  if (!session.ok) return <ProblemPanel problem={session.problem} />;
  if (!may(session.data, 'admin'))
    return <NeedsScope session={session.data} scope="admin" what="The audit log and its export" />;
  const params = await searchParams;
  const filters = readAuditFilters((name) => {
    const value = params[name];
    return typeof value === 'string' ? value : null;
  });
  const api = serverApi(token);
  const [log, keys] = await Promise.all([
    answerOf(api.GET('/v1/audit', { params: { query: auditQueryOf(filters) } })),
    answerOf(api.GET('/v1/keys')),
  ]);
  if (!log.ok) return <ProblemPanel problem={log.problem} />;
  return <AuditView first={{ filters, page: log.data }} firstKeys={keys.ok ? keys.data : null} />;
}
