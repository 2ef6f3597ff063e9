import type { Query } from '../../connection/store.js';
import { oneByOne } from '../messages/unnested.js';

/** Whether such a row exists. It is looked up for each key, by an index. */
const isThere = (row: string): string => `EXISTS (SELECT FROM ${row} ${oneByOne})`;

/** The thread that a key of an archive names; null for other keys. */
const archivedThread =
  "substring(key FROM '/threads/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/context/[0-9]{10}-[0-9]{10}[.]jsonl$')::uuid";

/**
 * Those of these blob keys that no row refers to: no output, no media, and no archive of a live summary. See
 * libs/blobs/src/layout.ts for keys. Reads the rows of these keys and no others, however many the project has.
 */
export async function orphanKeys(
  query: Query,
  projectId: string,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await query<{ key: string }>(
    {
      name: 'orphan-keys',
      text: `SELECT key FROM unnest($2::text[]) AS key
        WHERE NOT ${isThere(`outputs o WHERE o.project_id = $1 AND o.blob_key = key AND o.state <> 'deleted'`)}
          AND NOT ${isThere(`outputs o WHERE o.project_id = $1 AND o.original_key = key AND o.state <> 'deleted'`)}
          AND NOT ${isThere(`media m WHERE m.project_id = $1 AND m.sha256 = substring(key FROM '/media/([^./]+)[.]')
            AND key = $1::text || '/media/' || m.sha256 || '.' || m.extension`)}
          AND NOT ${isThere(`summaries s WHERE s.project_id = $1 AND s.withdrawn_at IS NULL AND s.thread_uid = ${archivedThread}
            AND s.to_seq >= substring(key FROM '-([0-9]{10})[.]jsonl$')::bigint`)}`,
    },
    [projectId, keys],
  );
  return rows.map((row) => row.key);
}
