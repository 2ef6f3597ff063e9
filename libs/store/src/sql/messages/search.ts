import type { Query } from '../../connection/store.js';
import type { BodyRow } from './read-context.js';

export interface MessageSearch {
  projectId: string;
  threadUid: string;
  /** Oldest and newest seq to search. */
  from: number;
  through: number;
  /** Lower-case texts, one of which a message must hold. */
  parts: readonly string[];
  /** Roles of messages; null for all. */
  roles: readonly string[] | null;
}

export interface FoundMessage extends BodyRow {
  role: string;
}

/** Bytes of bodies per slice, so that a search reads a long thread in bounded pieces. */
const maxSliceBytes = 4 * 1024 * 1024;
const maxSliceMessages = 1_000;
/** Parts that Postgres looks for. */
const maxPatterns = 6;

/**
 * Reads the newest slice of a range of messages. Returns those that may contain one of the parts, newest first, and
 * where the slice starts. The filter sees JSON, so it may pass messages in which a part is only a key, and with many
 * parts it passes all; it never drops one that contains a part as text, unless it was rewound. There is no index, so no
 * append pays for a search (ADR 15).
 */
const text = `
WITH slice AS (
  SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) - bytes AS newer_bytes FROM (
    SELECT m.seq, octet_length(m.body) AS bytes FROM messages m
    WHERE m.project_id = $1 AND m.thread_uid = $2 AND m.seq BETWEEN $3 AND $4
    ORDER BY m.seq DESC LIMIT ${maxSliceMessages}) newest
), edge AS (SELECT min(seq) AS seq FROM slice WHERE newer_bytes < ${maxSliceBytes})
SELECT edge.seq AS "from", found.* FROM edge LEFT JOIN LATERAL (
  SELECT m.seq, m.role, m.body, m.format, m.media FROM messages m
  WHERE m.project_id = $1 AND m.thread_uid = $2 AND m.seq BETWEEN edge.seq AND $4 AND m.rewound_before = 0
    AND ($7::text[] IS NULL OR m.role = ANY($7))
    AND (lower(m.body) LIKE ANY($5::text[]) OR m.body LIKE '%\\\\u%' AND lower(m.body) LIKE ANY($6::text[]))
) found ON true ORDER BY found.seq DESC`;

export async function searchMessages(
  query: Query,
  s: MessageSearch,
): Promise<{ from: number; found: FoundMessage[] }> {
  // Comparing each body with many patterns takes longer than reading it.
  const parts = s.parts.length > maxPatterns ? [''] : s.parts;
  const rows = await query<{ from: number | null } & Partial<FoundMessage>>(
    { name: 'search-messages', text },
    [
      s.projectId,
      s.threadUid,
      s.from,
      s.through,
      parts.map((part) => pattern(part, verbatimInJson)),
      parts.map((part) => pattern(part, verbatimInEscapedJson)),
      s.roles,
    ],
  );
  const found = rows.filter((row): row is (typeof rows)[number] & FoundMessage => row.seq !== null);
  return { from: rows[0]?.from ?? s.from, found };
}

export interface ThreadsSearch {
  projectId: string;
  threadUids: readonly string[];
  /** A lower-case text that one of their messages must hold. */
  part: string;
  /** Roles of messages; null for all. */
  roles: readonly string[] | null;
}

/** Of these threads, those with a message that may contain the part, as far as its JSON tells; see `searchMessages`. */
export async function threadsWithText(query: Query, s: ThreadsSearch): Promise<Set<string>> {
  const rows = await query<{ uid: string }>(
    {
      name: 'threads-with-text',
      text: `SELECT uid FROM unnest($2::uuid[]) AS uid WHERE EXISTS (
        SELECT 1 FROM messages m WHERE m.project_id = $1 AND m.thread_uid = uid AND m.rewound_before = 0
          AND ($5::text[] IS NULL OR m.role = ANY($5))
          AND (lower(m.body) LIKE $3 OR m.body LIKE '%\\\\u%' AND lower(m.body) LIKE $4))`,
    },
    [
      s.projectId,
      s.threadUids,
      pattern(s.part, verbatimInJson),
      pattern(s.part, verbatimInEscapedJson),
      s.roles,
    ],
  );
  return new Set(rows.map(({ uid }) => uid));
}

/** A LIKE pattern, in lower case, for every JSON encoding of the part: other characters match anything. */
const pattern = (part: string, isVerbatim: (char: string) => boolean): string =>
  `%${[...part].map((char) => (isVerbatim(char) ? char.replace('_', '\\_') : '%')).join('')}%`.replace(
    /%+/g,
    '%',
  );

/** Characters that every JSON encoder writes the same; some escape `<`, `/` or `'`. */
const verbatimInEscapedJson = (char: string): boolean => /[a-z0-9_.-]/i.test(char);

/** Our JSON does not escape letters. Postgres may not know both cases of letters beyond ASCII. */
const verbatimInJson = (char: string): boolean =>
  verbatimInEscapedJson(char) || (/\p{L}/u.test(char) && char.toLowerCase() === char.toUpperCase());

/** Returns by seq the generation whose summary covers a message; a message in no summary is left out. */
export async function coveringGeneration(
  query: Query,
  of: { projectId: string; threadUid: string },
  seqs: readonly number[],
): Promise<Map<number, number>> {
  const rows = await query<{ seq: number; generation: number }>(
    {
      name: 'covering-generation',
      text: `SELECT seq, s.generation FROM unnest($3::int[]) AS seq
        JOIN threads t ON t.project_id = $1 AND t.uid = $2
        JOIN summaries s ON s.project_id = $1 AND s.thread_uid = $2 AND s.chain = t.chain
          AND seq BETWEEN s.from_seq AND s.to_seq`,
    },
    [of.projectId, of.threadUid, seqs],
  );
  return new Map(rows.map((row) => [row.seq, row.generation]));
}
