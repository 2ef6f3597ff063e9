import type { Query } from '../../connection/store.js';
import type { InstructionRow } from './read-instructions.js';

export interface DecideInstruction {
  projectId: string;
  threadUid: string;
  /** The state that the caller saw. */
  contentVersion: number;
  id: string;
  seq: number;
  participant: string | null;
  text: string;
  kind: string;
  source: 'found' | 'added';
  decision: 'active' | 'dismissed';
}

/**
 * Writes what a person decided about an instruction, and the instruction itself where no fold has written it yet.
 * Guarantees: nothing is written when text was erased or a summary restored since the caller looked, or the thread is
 * erased, so that no erased words come back; the words of a stored instruction never change. Undefined when the thread
 * changed meanwhile.
 */
export async function decideInstruction(
  query: Query,
  d: DecideInstruction,
): Promise<InstructionRow | undefined> {
  const rows = await query<InstructionRow>(
    {
      name: 'decide-instruction',
      text: `
WITH thread AS (
  SELECT uid, next_seq FROM threads
  WHERE project_id = $1 AND uid = $2 AND deleted_at IS NULL AND content_version = $3 FOR UPDATE
)
INSERT INTO instructions AS i (project_id, thread_uid, id, seq, participant, text, kind, source, decision, decided_seq,
  decided_at)
SELECT $1::uuid, uid, $4::text, $5::int, $10::text, $6::text, $7::text, $8::text, $9::text, next_seq - 1, now() FROM thread
ON CONFLICT (project_id, thread_uid, id) DO UPDATE
  SET decision = excluded.decision, decided_seq = excluded.decided_seq, decided_at = excluded.decided_at
RETURNING id, seq, participant, text, kind, source, decision, decided_seq AS "decidedSeq", created_at AS "createdAt"`,
    },
    [
      d.projectId,
      d.threadUid,
      d.contentVersion,
      d.id,
      d.seq,
      d.text,
      d.kind,
      d.source,
      d.decision,
      d.participant,
    ],
  );
  return rows[0];
}
