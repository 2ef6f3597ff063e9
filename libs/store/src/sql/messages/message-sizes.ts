import type { Query } from '../../connection/store.js';

export interface MessageSize {
  seq: number;
  bytes: number;
}

/**
 * Sizes of messages as posted, outputs and media included, without reading them. Of an output that was posted in parts,
 * its parts are read: pictures in them are no text of the output.
 */
export const messageSizes = (
  query: Query,
  range: { projectId: string; threadUid: string; after: number; before: number; limit: number },
) =>
  query<MessageSize>(
    {
      name: 'message-sizes',
      text: `SELECT m.seq, (octet_length(m.body) + coalesce(o.bytes, 0) + coalesce(x.bytes, 0))::float8 AS bytes
        FROM messages m
        LEFT JOIN LATERAL (SELECT sum(bytes) AS bytes FROM (
          SELECT coalesce(original_bytes, bytes) AS bytes FROM outputs
          WHERE m.output_id IS NOT NULL AND project_id = m.project_id AND thread_uid = m.thread_uid AND seq = m.seq
          UNION ALL
          SELECT coalesce(shared.original_bytes, shared.bytes) FROM output_uses u JOIN outputs shared ON shared.project_id = u.project_id AND shared.id = u.output_id
          WHERE m.output_id IS NOT NULL AND u.project_id = m.project_id AND u.thread_uid = m.thread_uid AND u.seq = m.seq) of_message
        ) o ON true
        LEFT JOIN LATERAL (SELECT sum(media.bytes) AS bytes
          FROM regexp_matches(m.media, '"sha256":"([0-9a-f]{64})"', 'g') AS found
          JOIN media ON media.project_id = m.project_id AND media.sha256 = found[1]) x ON true
        WHERE m.project_id = $1 AND m.thread_uid = $2 AND m.seq > $3 AND m.seq < $4 ORDER BY m.seq LIMIT $5`,
    },
    [range.projectId, range.threadUid, range.after, range.before, range.limit],
  );

/** How many of these messages, from the first one on, take at most so many bytes together; at least one of them. */
export function countWithin(sizes: readonly MessageSize[], maxBytes: number): number {
  let sum = 0;
  const over = sizes.findIndex(({ bytes }) => (sum += bytes) > maxBytes);
  return over < 0 ? sizes.length : Math.max(1, over);
}
