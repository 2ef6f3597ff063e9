import type { Query } from '../../connection/store.js';

/** A standing instruction of a thread, as it was said, with what a person decided about it. */
export interface InstructionRow {
  id: string;
  seq: number;
  text: string;
  kind: string;
  source: 'found' | 'added';
  decision: 'active' | 'dismissed' | null;
  /** The newest message when it was decided. */
  decidedSeq: number | null;
  createdAt: Date;
}

const columns =
  'id, seq, text, kind, source, decision, decided_seq AS "decidedSeq", created_at AS "createdAt"';

/** More than this are not read of a thread. */
export const maxInstructions = 2_000;
/** The same of sentences that may be one and that nobody decided on. */
export const maxPossibleInstructions = 200;

/**
 * The instructions of a thread: at most `maxInstructions`, those that a person decided on first, then the newest; and
 * the newest `maxPossibleInstructions` of those that only may be one, which never displace an instruction.
 */
export const readInstructions = (query: Query, projectId: string, threadUid: string) =>
  query<InstructionRow>(
    {
      name: 'read-instructions',
      text: `
(SELECT ${columns}
  FROM instructions WHERE project_id = $1 AND thread_uid = $2 AND (kind <> 'possible' OR decision IS NOT NULL)
  ORDER BY decision IS NULL, seq DESC, id COLLATE "C" DESC LIMIT $3)
UNION ALL
(SELECT ${columns}
  FROM instructions WHERE project_id = $1 AND thread_uid = $2 AND kind = 'possible' AND decision IS NULL
  ORDER BY seq DESC, id COLLATE "C" DESC LIMIT $4)`,
    },
    [projectId, threadUid, maxInstructions, maxPossibleInstructions],
  );

/** How many instructions of a thread people have decided on, without this one. */
export async function countDecided(
  query: Query,
  { projectId, threadUid }: { projectId: string; threadUid: string },
  id: string,
): Promise<number> {
  const rows = await query<{ decided: number }>(
    {
      name: 'count-decided',
      text: `SELECT count(*)::int AS decided FROM instructions
        WHERE project_id = $1 AND thread_uid = $2 AND decision IS NOT NULL AND id <> $3`,
    },
    [projectId, threadUid, id],
  );
  return rows[0]!.decided;
}
