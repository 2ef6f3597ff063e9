import { SpillwayError } from '@spillway/engine';
import { audit, listAudit as readAudit, type AuditRow, type CallerRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { Page } from './cursor.js';
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

const first = 9_223_372_036_854_775_807n;

/** The audit log, newest first. */
export async function listAudit(
  rt: Runtime,
  projectId: string,
  { limit = 100, cursor }: { limit?: number; cursor?: string },
): Promise<Page<AuditRow>> {
  if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor)) {
    throw new SpillwayError('invalid_request', 'The cursor is not one of ours.', [
      { path: '/cursor', message: 'must come from next_cursor' },
    ]);
  }
  const rows = await readAudit(rt.store, projectId, cursor === undefined ? first : BigInt(cursor), limit + 1);
  const data = rows.slice(0, limit);
  return { data, nextCursor: rows.length > limit ? String(data.at(-1)!.id) : null };
}
