import type { Query } from '../../connection/store.js';

/** A generation of a thread. */
export interface Generation {
  projectId: string;
  threadUid: string;
  generation: number;
}

/** A summary that a caller wrote. */
export interface CallersSummary {
  generation: number;
  toSeq: number;
  /** As JSON. */
  fields: string;
  /** The name of the key that wrote it. */
  author: string | null;
  /** The newest seq that the caller had seen. */
  seenSeq: number;
}

interface Behind extends CallersSummary {
  method: string;
  restoredFrom: number | null;
}

/**
 * The newest of a chain, up to a generation, that a caller wrote or that took over an older one. What was taken over is
 * still behind it when it is withdrawn, as a restored fold is by an erasure; a caller's own summary is not.
 */
const behind = `
SELECT s.method, s.generation, s.to_seq AS "toSeq", s.fields, s.author, s.seen_seq AS "seenSeq",
  s.restored_from AS "restoredFrom" FROM summaries s
WHERE s.project_id = $1 AND s.thread_uid = $2 AND s.generation <= $3::int AND s.rewound_before = 0
  AND CASE WHEN s.method = 'caller' THEN s.withdrawn_at IS NULL ELSE s.restored_from IS NOT NULL END
  AND s.chain = (SELECT chain FROM summaries WHERE project_id = $1 AND thread_uid = $2 AND generation = $3::int)
ORDER BY s.generation DESC LIMIT 1`;

/**
 * The newest summary by a caller that this generation was made from. A generation that took over an older one is the
 * first of its chain: what the older one was made from is in that one's chain. Of a thread without a summary (0) it is
 * the one behind the generation that was active until it was withdrawn.
 */
export async function callersSummary(query: Query, of: Generation): Promise<CallersSummary | undefined> {
  let at: number | null = of.generation === 0 ? await withdrawnLast(query, of) : of.generation;
  while (at !== null) {
    const found: Behind | undefined = await readBehind(query, { ...of, generation: at });
    if (found?.method === 'caller') return found;
    at = found?.restoredFrom ?? null;
  }
  return undefined;
}

/**
 * The generation that was active until it was withdrawn. Every change of the active one adds a generation, so it is the
 * newest; null where that one ended by an undo or a rewind.
 */
async function withdrawnLast(query: Query, of: Generation): Promise<number | null> {
  const [newest] = await query<{ generation: number; isWithdrawn: boolean }>(
    {
      name: 'withdrawn-last',
      text: `SELECT s.generation, s.withdrawn_at IS NOT NULL AND s.undone_at IS NULL AND s.rewound_before = 0
          AS "isWithdrawn" FROM summaries s
        WHERE s.project_id = $1 AND s.thread_uid = $2 ORDER BY s.generation DESC LIMIT 1`,
    },
    [of.projectId, of.threadUid],
  );
  return newest?.isWithdrawn ? newest.generation : null;
}

async function readBehind(query: Query, of: Generation): Promise<Behind | undefined> {
  const values = [of.projectId, of.threadUid, of.generation];
  const [found] = await query<Behind>({ name: 'behind-generation', text: behind }, values);
  return found;
}

/**
 * Why code made a generation although the policy asked for a model: the failure that its attempt recorded. Null when
 * none was recorded, as for every generation by a model, and for a copy.
 */
export async function failureBehind(query: Query, of: Generation): Promise<string | null> {
  const [found] = await query<{ reason: string }>(
    {
      name: 'failure-behind',
      text: `SELECT a.reason FROM compaction_attempts a
        WHERE a.project_id = $1 AND a.thread_uid = $2 AND a.generation = $3::int AND a.reason IS NOT NULL
        ORDER BY a.epoch DESC LIMIT 1`,
    },
    [of.projectId, of.threadUid, of.generation],
  );
  return found?.reason ?? null;
}

/** Why the attempt before this one failed; null when it did not, or there was none. */
export async function failureBefore(
  query: Query,
  of: { projectId: string; threadUid: string; epoch: number },
): Promise<string | null> {
  const [before] = await query<{ outcome: string | null; reason: string | null }>(
    {
      name: 'failure-before',
      text: `SELECT a.outcome, a.reason FROM compaction_attempts a
        WHERE a.project_id = $1 AND a.thread_uid = $2 AND a.epoch < $3::int ORDER BY a.epoch DESC LIMIT 1`,
    },
    [of.projectId, of.threadUid, of.epoch],
  );
  return before?.outcome === 'failed' ? before.reason : null;
}
