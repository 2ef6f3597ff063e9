import type { Query } from '../../connection/store.js';

/** An upload, as an append needs it. */
export interface UploadRow {
  id: string;
  state: string;
  stubHash: Buffer;
  /** Null once it was removed. */
  threadUid: string | null;
  threadId: string | null;
  /** The message with its stub, and its client id. Null until it is posted. */
  seq: number | null;
  clientId: string | null;
  toolCallId: string | null;
  bytes: string;
  lines: number;
  tokens: number;
  contentType: string;
  kind: string;
  expiresAt: Date;
}

/** Uploads by id, in any state. Outputs that an append offloaded are not included. */
export const findUploads = (query: Query, projectId: string, ids: readonly string[]) =>
  query<UploadRow>(
    {
      name: 'find-uploads',
      text: `SELECT o.id, o.state, o.stub_hash AS "stubHash", o.thread_uid AS "threadUid", t.id AS "threadId", o.seq,
          m.client_id AS "clientId", o.tool_call_id AS "toolCallId", o.bytes, o.lines, o.tokens,
          o.content_type AS "contentType", o.kind, o.expires_at AS "expiresAt"
        FROM outputs o
        LEFT JOIN threads t ON t.project_id = o.project_id AND t.uid = o.thread_uid
        LEFT JOIN messages m ON m.project_id = o.project_id AND m.thread_uid = o.thread_uid AND m.seq = o.seq
        WHERE o.project_id = $1 AND o.id = ANY($2::text[]) AND o.stub_hash IS NOT NULL`,
    },
    [projectId, ids],
  );

/** Whether this upload is still waiting for its message. An erasure of its thread removes it. */
export async function isStaged(query: Query, projectId: string, id: string): Promise<boolean> {
  const rows = await query(
    {
      name: 'is-staged',
      text: `SELECT FROM outputs o JOIN threads t ON t.project_id = o.project_id AND t.uid = o.thread_uid
        WHERE o.project_id = $1 AND o.id = $2 AND o.state = 'staging' AND t.deleted_at IS NULL`,
    },
    [projectId, id],
  );
  return rows.length > 0;
}
