import { currentScope } from './scope.js';
import type { Query, Store } from './store.js';

/** Writes down a read. What changes something is written down by the database itself, in the same statement. */
export const audit = (
  query: Query,
  { projectId, action, target }: { projectId: string; action: string; target: string },
) =>
  query(
    {
      name: 'audit',
      text: `INSERT INTO audit_log (project_id, actor, action, target) VALUES ($1, $2, $3, $4)`,
    },
    [projectId, currentScope().actor, action, target],
  );

/** Newest first, below `before`. */
export const listAudit = ({ prisma }: Store, projectId: string, before: bigint, limit: number) =>
  prisma.auditEntry.findMany({
    where: { projectId, id: { lt: before } },
    orderBy: { id: 'desc' },
    take: limit,
  });

export type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];
