import type { Query } from '../store.js';

/**
 * Of these blob keys, the ones that no row names: no output that is not deleted yet, no media, and no archive of a
 * range that a summary in service covers. See libs/blobs/src/layout.ts for how keys are made.
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
        WHERE NOT EXISTS (SELECT FROM outputs o WHERE o.project_id = $1 AND o.blob_key = key AND o.state <> 'deleted')
          AND NOT EXISTS (SELECT FROM outputs o WHERE o.project_id = $1 AND o.original_key = key AND o.state <> 'deleted')
          AND NOT EXISTS (SELECT FROM media m WHERE m.project_id = $1
            AND key = $1::text || '/media/' || m.sha256 || '.' || m.extension)
          AND NOT EXISTS (SELECT FROM summaries s WHERE s.project_id = $1 AND s.withdrawn_at IS NULL
            AND key = $1::text || '/threads/' || s.thread_uid || '/context/' || lpad(s.from_seq::text, 10, '0')
              || '-' || lpad(s.to_seq::text, 10, '0') || '.jsonl')`,
    },
    [projectId, keys],
  );
  return rows.map((row) => row.key);
}
