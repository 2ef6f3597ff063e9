import type { Query } from '../../connection/store.js';

/** A standing instruction of a thread, as it was said, with what a person decided about it. */
export interface InstructionRow {
  id: string;
  seq: number;
  /** Who said it, where the message names one of several people. */
  participant: string | null;
  text: string;
  kind: string;
  source: 'found' | 'added';
  decision: 'active' | 'dismissed' | null;
  /** The newest message when it was decided. */
  decidedSeq: number | null;
  createdAt: Date;
}

const columns =
  'id, seq, participant, text, kind, source, decision, decided_seq AS "decidedSeq", created_at AS "createdAt"';

/** How many are read of a thread. */
export const maxInstructions = {
  instructions: 2_000,
  /** Sentences that only may be one, and that nobody decided on. */
  possible: 200,
};

/**
 * The instructions of a thread, at most `maxInstructions`: those that a person decided on first, then the newest. What was
 * said again later comes last, so that a reminder with every message displaces none. What only may be one never displaces
 * an instruction.
 */
export const readInstructions = (query: Query, projectId: string, threadUid: string) =>
  query<InstructionRow>(
    {
      name: 'read-instructions',
      text: `
(SELECT ${columns}
  FROM (
    SELECT *, row_number() OVER (PARTITION BY decision IS NULL, text ORDER BY seq DESC, id COLLATE "C" DESC) > 1 AS again
    FROM instructions WHERE project_id = $1 AND thread_uid = $2 AND (kind <> 'possible' OR decision IS NOT NULL)
  ) found
  ORDER BY decision IS NULL, again, seq DESC, id COLLATE "C" DESC LIMIT $3)
UNION ALL
(SELECT ${columns}
  FROM instructions WHERE project_id = $1 AND thread_uid = $2 AND kind = 'possible' AND decision IS NULL
  ORDER BY seq DESC, id COLLATE "C" DESC LIMIT $4)`,
    },
    [projectId, threadUid, maxInstructions.instructions, maxInstructions.possible],
  );

/**
 * How many instructions of a thread people have decided on besides this one, and the ids of those of its text that they
 * added and did not dismiss.
 */
export async function countDecided(
  query: Query,
  of: { projectId: string; threadUid: string; id: string; text: string },
): Promise<{ others: number; added: string[] }> {
  const rows = await query<{ others: number; added: string[] }>(
    {
      name: 'count-decided',
      text: `SELECT count(*) FILTER (WHERE id <> $3)::int AS others,
          coalesce(array_agg(id) FILTER (WHERE source = 'added' AND text = $4 AND decision = 'active'), '{}') AS added
        FROM instructions WHERE project_id = $1 AND thread_uid = $2 AND decision IS NOT NULL`,
    },
    [of.projectId, of.threadUid, of.id, of.text],
  );
  return rows[0]!;
}
