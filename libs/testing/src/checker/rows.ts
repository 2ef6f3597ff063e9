import pg from 'pg';
import { changesTable } from './watch-messages.js';

export interface ThreadFacts {
  uid: string;
  /** `project/thread`, as in violations. */
  name: string;
  nextSeq: number;
  /** Of a fork: the newest message from its parent; null for any other thread. */
  forkSeq: number | null;
  chain: number;
  generation: number;
  coveredThrough: number;
  erased: boolean;
  parkReason: string | null;
  needsCompaction: boolean;
  leased: boolean;
  /** Seconds for which it was claimable; null when it is not due. */
  dueForSeconds: number | null;
  inBackoff: boolean;
}

export interface MessageFacts {
  uid: string;
  seq: number;
  clientId: string | null;
  hash: string;
  body: string;
  outputId: string | null;
  /** A rewound message has freed its id. */
  rewound: boolean;
}

export interface SummaryFacts {
  uid: string;
  chain: number;
  generation: number;
  fromSeq: number;
  toSeq: number;
  restoredFrom: number | null;
  /** The caller that wrote it; null for a compaction. */
  author: string | null;
}

export interface AttemptFacts {
  uid: string;
  epoch: number;
  outcome: string | null;
  generation: number | null;
  fromSeq: number | null;
  toSeq: number | null;
}

export interface OutputFacts {
  id: string;
  uid: string | null;
  seq: number | null;
  state: string;
  blobKey: string;
  bytes: number;
  sha256: string;
  originalKey: string | null;
  /** Its message was posted with its stub. */
  uploaded: boolean;
  place: number;
  /** The time to remove it came this many seconds ago. */
  removableForSeconds: number | null;
}

export interface Rows {
  threads: ThreadFacts[];
  messages: MessageFacts[];
  summaries: SummaryFacts[];
  attempts: AttemptFacts[];
  outputs: OutputFacts[];
  mediaHashes: Set<string>;
  /** Changes of message rows after they were written; null when they were not recorded. */
  changes: { uid: string; seq: number; what: string }[] | null;
}

const statements = {
  threads: `SELECT t.uid, p.name || '/' || t.id AS name, next_seq AS "nextSeq", fork_seq AS "forkSeq", chain, generation,
      covered_through AS "coveredThrough", deleted_at IS NOT NULL AS erased, park_reason AS "parkReason",
      needs_compaction AS "needsCompaction", coalesce(lease_until > now(), false) AS leased,
      CASE WHEN needs_compaction AND park_reason IS NULL AND deleted_at IS NULL
        THEN extract(epoch FROM now() - greatest(requested_at, lease_until, next_attempt_at, t.updated_at))::float END AS "dueForSeconds",
      coalesce(next_attempt_at > now(), false) AS "inBackoff"
    FROM threads t JOIN projects p ON p.id = t.project_id`,
  messages: `SELECT thread_uid AS uid, seq, client_id AS "clientId", encode(hash, 'hex') AS hash,
      body, output_id AS "outputId", rewound_before > 0 AS rewound
    FROM messages ORDER BY thread_uid, seq`,
  summaries: `SELECT thread_uid AS uid, chain, generation, from_seq AS "fromSeq", to_seq AS "toSeq",
      restored_from AS "restoredFrom", author FROM summaries ORDER BY thread_uid, generation`,
  attempts: `SELECT thread_uid AS uid, epoch, outcome, generation, from_seq AS "fromSeq", to_seq AS "toSeq"
    FROM compaction_attempts ORDER BY thread_uid, epoch`,
  outputs: `SELECT id, thread_uid AS uid, seq, state, blob_key AS "blobKey", bytes::float AS bytes, sha256, original_key AS "originalKey", stub_hash IS NOT NULL AS uploaded, place,
      extract(epoch FROM now() - delete_after)::float AS "removableForSeconds" FROM outputs`,
};

/** All rows that the checks need, from one snapshot. */
export async function readRows(databaseUrl: string): Promise<Rows> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const rows = async <T extends pg.QueryResultRow>(sql: string) => (await client.query<T>(sql)).rows;
    const watched = await rows<{ there: boolean }>(
      `SELECT to_regclass('${changesTable}') IS NOT NULL AS there`,
    );
    const media = await rows<{ sha256: string }>('SELECT sha256 FROM media');
    return {
      threads: await rows(statements.threads),
      messages: await rows(statements.messages),
      summaries: await rows(statements.summaries),
      attempts: await rows(statements.attempts),
      outputs: await rows(statements.outputs),
      mediaHashes: new Set(media.map((row) => row.sha256)),
      changes: watched[0]!.there ? await rows(`SELECT uid, seq, what FROM ${changesTable}`) : null,
    };
  } finally {
    await client.end();
  }
}
