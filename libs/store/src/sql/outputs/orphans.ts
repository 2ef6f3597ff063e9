import type { Query } from '../../connection/store.js';

/**
 * Those of these blob keys that no row refers to: no output, no media, and no archive of a live summary. See
 * libs/blobs/src/layout.ts for keys.
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
            AND key ~ '/context/[0-9]{10}-[0-9]{10}[.]jsonl$' AND s.thread_uid::text = split_part(key, '/', 3)
            AND s.to_seq >= substring(key FROM '-([0-9]{10})[.]jsonl$')::bigint)`,
    },
    [projectId, keys],
  );
  return rows.map((row) => row.key);
}
