import type { OutputRow } from './outputs.js';
import type { Query } from '../connection/store.js';
import type { Direction, KeysetValue } from '../threads/thread-list.js';

/** A listed output: without the columns for reading its bytes. */
export type ListedOutput = Omit<
  OutputRow,
  | 'projectId'
  | 'blobKey'
  | 'lineIndex'
  | 'linesPerMark'
  | 'stubHash'
  | 'chunkHashes'
  | 'originalKey'
  | 'originalBytes'
  | 'originalSha256'
  | 'removalAttempts'
  | 'place'
  | 'deleteAfter'
  | 'bytes'
> & { bytes: string; threadId: string };

const orders = {
  newest: { by: 'o.created_at', type: 'timestamptz', direction: 'desc' },
  biggest: { by: 'o.bytes', type: 'bigint', direction: 'desc' },
  expiring: { by: 'o.expires_at', type: 'timestamptz', direction: 'asc' },
} as const satisfies Record<string, { by: string; type: string; direction: Direction }>;

export type OutputOrder = keyof typeof orders;

export interface OutputListing {
  projectId: string;
  threadId?: string;
  tool?: string;
  kind?: string;
  state?: 'ready' | 'expired' | 'corrupt';
  pinned?: boolean;
  /** Part of the output's id, the tool's name, the call's id or the thread's id. */
  q?: string;
  expiringBefore?: Date;
  order: OutputOrder;
  after: { value: KeysetValue['value']; id: string } | null;
  limit: number;
}

/**
 * Outputs of a project, after a position, each under its owner; with `threadId` also those that the thread shares.
 * Staging outputs and those of erased threads are left out. `expiring` lists what a sweep would remove: neither pinned
 * nor gone.
 */
export async function listProjectOutputs(query: Query, f: OutputListing): Promise<ListedOutput[]> {
  const { by, type, direction } = orders[f.order];
  const way = direction === 'asc' ? 'ASC' : 'DESC';
  const after = f.after
    ? `AND (${by}, o.id) ${direction === 'asc' ? '>' : '<'} ($11::${type}, $12::text)`
    : '';
  return query<ListedOutput>(
    {
      name: `list-outputs-${f.order}-${f.after ? 'on' : 'first'}`,
      text: `SELECT o.id, o.thread_uid AS "threadUid", t.id AS "threadId", o.seq, o.state, o.bytes, o.lines, o.tokens,
          o.content_type AS "contentType", o.kind, o.sha256, o.tool, o.tool_call_id AS "toolCallId", o.pinned,
          o.created_at AS "createdAt", o.expires_at AS "expiresAt", o.deleted_at AS "deletedAt"
        FROM outputs o JOIN threads t ON t.project_id = o.project_id AND t.uid = o.thread_uid AND t.deleted_at IS NULL
        WHERE o.project_id = $1 AND o.state <> 'staging'
          AND ($2::text IS NULL OR t.id = $2 OR o.id IN (SELECT u.output_id FROM threads f
            JOIN output_uses u ON u.project_id = f.project_id AND u.thread_uid = f.uid
            WHERE f.project_id = $1 AND f.id = $2 AND f.deleted_at IS NULL))
          AND ($3::text IS NULL OR o.tool = $3)
          AND ($4::text IS NULL OR o.kind = $4)
          AND ($5::text IS NULL OR CASE WHEN o.state IN ('ready', 'corrupt') THEN o.state ELSE 'expired' END = $5)
          AND ($6::bool IS NULL OR o.pinned = $6)
          AND ($7::text IS NULL OR position($7 IN lower(o.id)) > 0 OR position($7 IN lower(o.tool)) > 0
            OR position($7 IN lower(o.tool_call_id)) > 0 OR position($7 IN lower(t.id)) > 0)
          AND ($8::timestamptz IS NULL OR o.expires_at < $8 AND o.state = 'ready' AND NOT o.pinned)
          AND (NOT $9::bool OR o.expires_at IS NOT NULL AND o.state = 'ready' AND NOT o.pinned) ${after}
        ORDER BY ${by} ${way}, o.id ${way} LIMIT $10`,
    },
    [
      f.projectId,
      f.threadId ?? null,
      f.tool ?? null,
      f.kind ?? null,
      f.state ?? null,
      f.pinned ?? null,
      f.q?.toLowerCase() ?? null,
      f.expiringBefore ?? null,
      f.order === 'expiring',
      f.limit,
      ...(f.after ? [f.after.value, f.after.id] : []),
    ],
  );
}

export const positionOfOutput = (
  row: ListedOutput,
  order: OutputOrder,
): { value: KeysetValue['value']; id: string } => {
  const value = {
    newest: () => row.createdAt.toISOString(),
    biggest: () => Number(row.bytes),
    expiring: () => row.expiresAt?.toISOString() ?? '',
  }[order]();
  return { value, id: row.id };
};
