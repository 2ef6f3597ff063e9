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

/** More than this are not read of a thread. */
export const maxInstructions = 2_000;

/** The instructions of a thread, at most `maxInstructions`: those that a person decided on first, then the newest. */
export const readInstructions = (query: Query, projectId: string, threadUid: string) =>
  query<InstructionRow>(
    {
      name: 'read-instructions',
      text: `SELECT id, seq, text, kind, source, decision, decided_seq AS "decidedSeq", created_at AS "createdAt"
        FROM instructions WHERE project_id = $1 AND thread_uid = $2
        ORDER BY decision IS NULL, seq DESC, id COLLATE "C" DESC LIMIT $3`,
    },
    [projectId, threadUid, maxInstructions],
  );
