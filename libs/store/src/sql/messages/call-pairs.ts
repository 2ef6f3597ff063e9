import type { Query } from '../../connection/store.js';
import type { BodyRow } from './read-context.js';

/** A call as a message names it: the id, and the seq of the message that makes it or answers it. */
export interface NamedCall {
  id: string;
  seq: number;
}

export interface PairedMessage extends BodyRow {
  /** The call that was asked for. */
  callId: string;
  ofSeq: number;
  role: string;
}

/** Messages between a call and its result that are looked through. */
const maxDistance = 1_000;

const nearest = (column: 'calls' | 'answers', range: string, order: 'ASC' | 'DESC'): string => `
  SELECT named.json AS "callId", named.seq AS "ofSeq", m.* FROM unnest($3::text[], $4::int[]) AS named(json, seq)
  CROSS JOIN LATERAL (
    SELECT seq, role, body, format, media FROM messages
    WHERE project_id = $1 AND thread_uid = $2 AND ${range} AND rewound_before IN (0, (SELECT rewound_before FROM messages
      WHERE project_id = $1 AND thread_uid = $2 AND seq = named.seq)) AND strpos(${column}, named.json) > 0
    ORDER BY seq ${order} LIMIT 1) m`;

const callers = nearest('calls', `seq BETWEEN named.seq - ${maxDistance} AND named.seq - 1`, 'DESC');
const results = nearest('answers', `seq BETWEEN named.seq + 1 AND named.seq + ${maxDistance}`, 'ASC');

interface Of {
  projectId: string;
  threadUid: string;
}

/**
 * The messages that make these calls, each the nearest before the message that answers it. A rewound message belongs to
 * one that was rewound with it.
 */
export const callersOf = (query: Query, of: Of, answered: readonly NamedCall[]) =>
  pairs(query, 'callers-of', callers, of, answered);

/** The messages that answer these calls, each the nearest after the message that makes it. */
export const resultsOfCalls = (query: Query, of: Of, made: readonly NamedCall[]) =>
  pairs(query, 'results-of-calls', results, of, made);

/** The message that makes this call, the newest of a thread's last ones, for a result that is not stored yet. */
export async function newestCaller(
  query: Query,
  { projectId, threadUid }: Of,
  callId: string,
): Promise<{ body: string; format: string } | undefined> {
  const text = `
    SELECT body, format FROM messages WHERE project_id = $1 AND thread_uid = $2 AND rewound_before = 0
      AND seq >= (SELECT next_seq FROM threads WHERE project_id = $1 AND uid = $2) - ${maxDistance}
      AND strpos(calls, $3) > 0
    ORDER BY seq DESC LIMIT 1`;
  const values = [projectId, threadUid, JSON.stringify(callId)];
  const [row] = await query<{ body: string; format: string }>({ name: 'newest-caller', text }, values);
  return row;
}

async function pairs(
  query: Query,
  name: string,
  text: string,
  { projectId, threadUid }: Of,
  named: readonly NamedCall[],
): Promise<PairedMessage[]> {
  if (named.length === 0) return [];
  // As the columns hold them. Postgres cannot take every id as text: one may have NUL or half of a surrogate pair.
  const json = named.map(({ id }) => JSON.stringify(id));
  const seqs = named.map(({ seq }) => seq);
  const found = await query<PairedMessage>({ name, text }, [projectId, threadUid, json, seqs]);
  return found.map((pair) => ({ ...pair, callId: JSON.parse(pair.callId) as string }));
}
