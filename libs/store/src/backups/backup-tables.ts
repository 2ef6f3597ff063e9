/** A table of which a backup of a thread holds rows. */
export interface BackupTable {
  name: string;
  /** Orders the rows of a thread. */
  key: string;
  keyType: 'int' | 'text';
  /** Rows read at once. Their texts may be large. */
  atOnce: number;
  /** Columns that are made anew when the row is restored: where bytes are stored, and who works on them. */
  without: readonly string[];
}

const table = (
  name: string,
  key: string,
  keyType: 'int' | 'text',
  atOnce: number,
  without: readonly string[] = [],
): BackupTable => ({ name, key, keyType, atOnce, without });

/**
 * The tables that hold a thread, beside its own row and its messages. Left out: what a server makes again (a summary that
 * is prepared and not in place, usage counters, archived files), what a server tells (events, the audit log), and tokens.
 */
export const backupTables: readonly BackupTable[] = [
  table('summaries', 'generation', 'int', 50),
  table('rewinds', 'version', 'int', 500),
  table('instructions', 'id', 'text', 500),
  table('compaction_attempts', 'epoch', 'int', 500),
  table('served_prompts', 'hash', 'text', 4),
  table('served_contexts', 'seq', 'int', 500),
  table('history_ends', 'seq', 'int', 500),
  table('media_uses', 'sha256', 'text', 500),
  table('outputs', 'id', 'text', 20, [
    'blob_key',
    'folder_uid',
    'original_key',
    'delete_after',
    'removal_attempts',
  ]),
];

/** The columns of a thread that belong to the server on which it is: leases, work in progress, removals. */
export const threadColumnsOfServer: readonly string[] = [
  'project_id',
  'uid',
  'id',
  'weighed_version',
  'needs_compaction',
  'request',
  'requested_at',
  'prepared_generation',
  'prepared_state',
  'prepare_at',
  'lease_owner',
  'lease_until',
  'next_attempt_at',
  'context_window',
  'limit_tokens',
  'trigger_tokens',
  'summary_enabled',
  'deleted_at',
  'files_removed_at',
  'removal_attempts',
  'remove_after',
];
