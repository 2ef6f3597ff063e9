import type { Query } from '../store.js';
import type { BodyRow } from './read-context.js';

export interface MessageSearch {
  projectId: string;
  threadUid: string;
  /** Texts looked for, in any of their spellings: the whole query first. */
  whole: readonly string[];
  parts: readonly string[];
  limit: number;
}

export interface FoundMessage extends BodyRow {
  role: string;
  /** The generation of the active chain that stands for it; null while it is verbatim. */
  coveredBy: number | null;
}

/**
 * Messages of a thread that hold a text, by how much of the query they hold, then newest first. Reads every body of
 * the thread, and no more: a search is rare beside appends, so no append pays for an index (ADR 15).
 */
const text = `
WITH found AS (
  SELECT m.seq, m.role, m.body, m.format, m.media, m.body ILIKE ANY($3::text[]) AS is_whole,
    (SELECT count(*) FROM unnest($4::text[]) AS part WHERE m.body ILIKE part) AS parts
  FROM messages m WHERE m.project_id = $1 AND m.thread_uid = $2
    AND (m.body ILIKE ANY($3::text[]) OR m.body ILIKE ANY($4::text[]))
)
SELECT found.seq, found.role, found.body, found.format, found.media, s.generation AS "coveredBy"
FROM found JOIN threads t ON t.project_id = $1 AND t.uid = $2
LEFT JOIN summaries s ON s.project_id = $1 AND s.thread_uid = $2 AND s.chain = t.chain
  AND found.seq BETWEEN s.from_seq AND s.to_seq
ORDER BY found.is_whole DESC, found.parts DESC, found.seq DESC LIMIT $5`;

export const searchMessages = (query: Query, s: MessageSearch): Promise<FoundMessage[]> =>
  query<FoundMessage>({ name: 'search-messages', text }, [
    s.projectId,
    s.threadUid,
    s.whole.flatMap(spellings),
    s.parts.flatMap(spellings),
    s.limit,
  ]);

/** A text as it stands in a JSON body, and as it stands in the JSON of a call's arguments within it. */
function spellings(term: string): string[] {
  const escaped = JSON.stringify(term).slice(1, -1);
  const twice = JSON.stringify(escaped).slice(1, -1);
  return [...new Set([escaped, twice])].map((spelling) => `%${spelling.replace(/[\\%_]/g, '\\$&')}%`);
}

/** The generation that stands for a message, if one does. */
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
