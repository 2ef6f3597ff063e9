import { audit, listAudit as readAudit, type AuditRow, type CallerRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import { pageOf, readCursor, type Page } from './cursor.js';
import type { Runtime } from './runtime.js';

/** A page that refreshes itself is one look, not sixty: a person's reads of one thing are written down once a minute. */
const lookMs = 60_000;

export type AuditRead = (caller: CallerRow, target: string) => Promise<void>;

/** Writes down what people read, before they are shown it: when that fails, so does the read. */
export function readAuditor(rt: Runtime): AuditRead {
  const written = new LRUCache<string, true>({ max: 50_000, ttl: lookMs });
  return async ({ projectId, sessionId }, target) => {
    if (sessionId === null) return;
    const look = `${sessionId} ${target}`;
    if (written.has(look)) return;
    await audit(rt.store.query, { projectId, action: 'content.read', target });
    written.set(look, true);
  };
}

/** Ids of the log are counted up from 1 and stay exact for longer than there will be disks. */
const last = Number.MAX_SAFE_INTEGER;

/** The audit log, newest first. */
export async function listAudit(
  rt: Runtime,
  projectId: string,
  { limit = 100, cursor }: { limit?: number; cursor?: string },
): Promise<Page<AuditRow>> {
  const before = BigInt(readCursor(cursor, last, last));
  const rows = await readAudit(rt.store, projectId, before, limit + 1);
  return pageOf(rows, limit, (row) => Number(row.id));
}
