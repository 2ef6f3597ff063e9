import type { Query } from '../../connection/store.js';

export interface KnownMessage {
  seq: number;
  clientId: string;
  hash: Buffer;
  role: string;
  tokens: number;
  body: string;
  outputId: string | null;
  format: string;
  media: string | null;
}

/** Messages of a thread with one of these client ids. A rewound message has freed its own. */
export const knownMessages = (query: Query, projectId: string, threadUid: string, clientIds: string[]) =>
  query<KnownMessage>(
    {
      name: 'known-messages',
      text: `SELECT seq, client_id AS "clientId", hash, role, tokens, body, output_id AS "outputId",
          format, media FROM messages
        WHERE project_id = $1 AND thread_uid = $2 AND client_id = ANY($3) AND rewound_before = 0
        ORDER BY seq`,
    },
    [projectId, threadUid, clientIds],
  );

/** SHA-256 of what was posted as these messages of a thread, by seq. */
export async function postedHashes(
  query: Query,
  projectId: string,
  threadUid: string,
  seqs: readonly number[],
): Promise<Map<number, Buffer>> {
  const rows = await query<{ seq: number; hash: Buffer }>(
    {
      name: 'posted-hashes',
      text: 'SELECT seq, hash FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq = ANY($3)',
    },
    [projectId, threadUid, seqs],
  );
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
}
