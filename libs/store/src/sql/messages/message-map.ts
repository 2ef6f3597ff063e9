import type { Query } from '../../connection/store.js';

export interface MapBucket {
  fromSeq: number;
  toSeq: number;
  tokens: number;
  largestSeq: number;
  largestTokens: number;
}

/**
 * The tokens of a thread in ranges of `width` messages, with the largest message of each; rewound ones do not count.
 * Reads every row but no body that is stored out of line. The largest and its seq are combined into one number, so that
 * no range needs a sort.
 */
export const messageMap = (
  query: Query,
  of: { projectId: string; threadUid: string; width: number },
): Promise<MapBucket[]> =>
  query<MapBucket>(
    {
      name: 'message-map',
      text: `SELECT min(seq) AS "fromSeq", max(seq) AS "toSeq", sum(tokens)::float8 AS tokens,
          (max((tokens::bigint << 32) | seq) & 4294967295)::int AS "largestSeq", max(tokens) AS "largestTokens"
        FROM messages WHERE project_id = $1 AND thread_uid = $2 AND rewound_before = 0
        GROUP BY (seq - 1) / $3::int ORDER BY 1`,
    },
    [of.projectId, of.threadUid, of.width],
  );
