import {
  actorNames,
  audit,
  listAudit as readAudit,
  threadIdsByUid,
  type AuditFilter,
  type AuditRow,
  type CallerRow,
} from '@spillway/store';
import { LRUCache } from 'lru-cache';
import { pageOf, readCursor, writeCursor, type Page } from '../paging/cursor.js';
import type { Runtime } from '../runtime.js';
import { beyondRequest } from './beyond-request.js';

/** Reads by a person of the same thing are recorded once a minute, since pages refresh themselves. */
const lookMs = 60_000;

export type AuditRead = (caller: CallerRow, target: string) => Promise<void>;

/** Records what people read before they see it. When the record fails, so does the read. */
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

/** Ids of the log count up from 1 and stay within the safe integers. */
const last = Number.MAX_SAFE_INTEGER;

/** A row, with names in place of internal ids. */
export interface AuditEntry extends AuditRow {
  actorName: string | null;
  threadId: string | null;
}

/** The audit log, newest first. */
export async function listAudit(
  rt: Runtime,
  projectId: string,
  {
    limit = 100,
    cursor,
    ...filter
  }: AuditFilter & { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<AuditEntry>> {
  const before = BigInt(readCursor(cursor, last, last));
  const rows = await readAudit(rt.store, projectId, filter, before, limit + 1);
  const { data, nextCursor } = pageOf(rows, limit, ({ id }) => writeCursor(Number(id)));
  return { data: await named(rt, projectId, data), nextCursor };
}

/** The whole audit log, page by page. Reads at the pace of the consumer. */
export async function* exportAudit(
  rt: Runtime,
  projectId: string,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  for (let cursor: string | null = null; ;) {
    const wanted = { ...filter, limit: exportPage, ...(cursor === null ? {} : { cursor }) };
    const page: Page<AuditEntry> = await beyondRequest(projectId, () => listAudit(rt, projectId, wanted));
    if (page.data.length > 0) yield page.data;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

const exportPage = 1_000;
const ofAThread = /^\/v1\/threads\/([^/?]+)/;
/** Actions whose target is a thread, by the internal id where a trigger recorded them and else by the client's. */
const ofThreads = ['thread.', 'compaction.', 'message.', 'summary.', 'instruction.', 'token.'];
const isOfThread = (action: string) => ofThreads.some((start) => action.startsWith(start));

async function named(rt: Runtime, projectId: string, rows: AuditRow[]): Promise<AuditEntry[]> {
  const uids = rows.filter(({ action }) => isOfThread(action)).map(({ target }) => target);
  const [names, ids] = await Promise.all([
    actorNames(rt.store, projectId, [...new Set(rows.map(({ actor }) => actor))]),
    threadIdsByUid(rt.store, projectId, [...new Set(uids)]),
  ]);
  const threadOf = ({ action, target }: AuditRow): string | null => {
    if (isOfThread(action)) return ids.get(target) ?? target;
    const written = ofAThread.exec(target)?.[1];
    return written === undefined ? null : decoded(written);
  };
  return rows.map((row) => ({ ...row, actorName: names.get(row.actor) ?? null, threadId: threadOf(row) }));
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
