import type { Query } from '../../connection/store.js';
import {
  appendedColumns,
  appendedRow,
  grownColumns,
  threadColumns,
  type AppendedThread,
  type ThreadRow,
} from '../../threads/thread-row.js';
import { appendedTo, postedColumns, postedOf } from './appended-to.js';
import { arrayOrNull, oneByOne } from './unnested.js';

/** A staged output whose stub a message contains. */
export interface MessageOutput {
  id: string;
  /** Index of the tool result within the message, from 0. */
  place: number;
  tool: string | null;
  toolCallId: string | null;
}

/** A message to store, with everything decided. */
export interface NewMessage {
  clientId: string | null;
  role: string;
  pinned: boolean;
  tokens: number;
  fullTokens: number;
  calls: string | null;
  answers: string | null;
  body: string;
  hash: Buffer;
  /** The first of its outputs. */
  outputId: string | null;
  outputs: readonly MessageOutput[];
  format: string;
  images: number;
  /** References to its media, as JSON. */
  media: string | null;
  /** Hashes of its media, which are used from now on. */
  mediaHashes: readonly string[];
  /** When it was written where it comes from, ISO 8601; null when the caller does not say. */
  sentAt: string | null;
}

/** When the next fold of a thread is made before its trigger. */
export interface FoldAhead {
  /** Live tokens from which it is; null for never. */
  tokens: number | null;
  /** Milliseconds after an append until it is made; null when only the trigger makes it. */
  makeAfterMs: number | null;
  /** Milliseconds without an append after which a prepared one is put in place; null for the trigger alone. */
  idleMs: number | null;
}

export interface Append {
  projectId: string;
  threadId: string;
  /** Used when the thread does not exist yet. */
  newUid: string;
  /** Live tokens of a thread without messages. */
  baseTokens: number;
  /** The budget under the current policy; the row keeps it for lists and for the trigger. */
  contextWindow: number;
  limitTokens: number;
  triggerTokens: number;
  summaryEnabled: boolean;
  ahead: FoldAhead;
  /** The policy under which these messages were decided; the statement does nothing when it changed. */
  settingsVersion: number;
  policyVersion: number;
  /** Nothing is written unless this is the thread's newest message that is not rewound; 0 for none. Null: any. */
  ifLastSeq: number | null;
  messages: readonly NewMessage[];
  /** What the messages add to the thread's live tokens. */
  weight: number;
  /** System messages that the batch starts with. */
  leading: number;
}

const isRecorded = `EXISTS (
    SELECT FROM messages m WHERE m.project_id = $1::uuid AND m.client_id = ANY($34::text[]) AND m.rewound_before = 0
      AND m.thread_uid = (SELECT uid FROM threads WHERE project_id = $1::uuid AND id = $2::text))`;

const isOutputGone = `cardinality($35::text[]) <> (
    SELECT count(DISTINCT o.id) FROM unnest($35::text[]) AS a(id) CROSS JOIN LATERAL (
      SELECT id, state FROM outputs WHERE project_id = $1::uuid AND id = a.id ${oneByOne}) o
    WHERE o.state = 'staging')`;

// Outputs are joined by columns of `linked` alone: given a project, Postgres might read all of its outputs.
const link = `, linked AS MATERIALIZED (
  SELECT thread.project_id, thread.uid, thread.next_seq - $11::int - 1 + o.ord AS seq, o.*
  FROM thread, unnest($35::text[], $36::int[], $37::int[], $38::text[], $39::text[]) AS o(id, ord, place, tool, call_id)
), ready AS (
  UPDATE outputs SET thread_uid = l.uid, seq = l.seq,
    state = CASE WHEN outputs.state = 'staging' THEN 'ready'
      ELSE spillway_refuse('output ' || outputs.id || ' belongs to another message') END,
    place = l.place, tool = coalesce(outputs.tool, l.tool), tool_call_id = coalesce(outputs.tool_call_id, l.call_id)
  FROM linked l WHERE outputs.project_id = l.project_id AND outputs.id = l.id
), used AS (
  INSERT INTO media_uses (project_id, thread_uid, sha256)
  SELECT $1::uuid, thread.uid, hash FROM thread, unnest($40::text[]) AS hash ON CONFLICT DO NOTHING
)`;

const grown = appendedTo('t', {
  count: '$11::int',
  weight: '$12::int',
  leading: '$13::int',
  fullTokens: '$24::bigint',
  outputs: '$25::int',
  contextWindow: '$5::int',
  limitTokens: '$6::int',
  triggerTokens: '$7::int',
  summaryEnabled: '$8::bool',
  policyVersion: '$10::int',
  aheadTokens: '$29::int',
  makeAfterMs: '$30::bigint',
  idleMs: '$31::bigint',
  ifLastSeq: '$32::int',
});

/** What refuses the messages, and what else is written with them. */
interface Parts {
  unless: readonly string[];
  also: string;
}

const textOf = ({ unless, also }: Parts, columns = grownColumns): string => `
WITH posted AS (
  SELECT * FROM unnest($14::text[], $15::text[], $16::bool[], $17::int[], $18::int[], $19::text[], $20::text[],
    $21::text[], $22::bytea[], $23::text[], $26::text[], $27::int[], $28::text[], $33::timestamptz[])
    WITH ORDINALITY AS m(${postedColumns}, ord)
), thread AS (
  INSERT INTO threads AS t (project_id, id, uid, live_tokens, context_window, limit_tokens, trigger_tokens,
    summary_enabled, weighed_version, next_seq, total_tokens, leading_through, output_count, needs_compaction, requested_at, prepare_at)
  SELECT $1::uuid, $2::text, $3::uuid, $4::int + $12::int, $5::int, $6::int, $7::int, $8::bool, $9::int, 1 + $11::int, $24::bigint, $13::int, $25::int,
    $8::bool AND $4::int + $12::int >= $7::int, CASE WHEN $8::bool AND $4::int + $12::int >= $7::int THEN now() END,
    CASE WHEN $8::bool AND $4::int + $12::int >= $29::int THEN now() + $30::bigint * interval '1 ms' END
  WHERE (SELECT settings_version FROM projects WHERE id = $1::uuid) = $9::int
    ${unless.map((condition) => `AND NOT (${condition})`).join('\n    ')}
    AND ($32::int IS NULL OR $32::int = 0 OR EXISTS (SELECT FROM threads WHERE project_id = $1::uuid AND id = $2::text))
  ON CONFLICT (project_id, id) DO UPDATE SET
    ${grown.set}
  WHERE ${grown.where}
  RETURNING ${appendedRow('t')}
), inserted AS (
  INSERT INTO messages (project_id, thread_uid, seq, ${postedColumns})
  SELECT $1::uuid, thread.uid, thread.next_seq - $11::int - 1 + posted.ord, ${postedOf('posted')}
  FROM thread, posted
)${also}
SELECT ${appendedColumns('thread', '$9::int', columns)} FROM thread`;

/** Most messages have neither ids nor outputs: Postgres would start the parts for them, and look for nothing. */
const appendPlain = { name: 'append-plain', text: textOf({ unless: [], also: '' }) };
const appendNamed = { name: 'append-named', text: textOf({ unless: [isRecorded], also: '' }) };
const everything = { unless: [isRecorded, isOutputGone], also: link };
const appendLinked = { name: 'append-linked', text: textOf(everything) };
/** To a thread that the caller does not know: all of the row, for its settings follow from it. */
const appendFirst = { name: 'append-first', text: textOf(everything, threadColumns) };

/**
 * Records messages in one round trip. Guarantees: all or none; seqs are gapless, ordered and never reused, because they
 * come from the locked thread row; nothing is written when a client id is recorded already, a staged output is gone,
 * the thread was erased, its newest seq is not `ifLastSeq`, or the policy changed meanwhile (then it returns undefined
 * and the caller finds out which); a staged output that another message took while this one waited for the thread is
 * refused as a violated unique constraint; compaction becomes due in the same statement in which the thread passes its
 * trigger. A thread that is parked as irreducible, undone or declined is checked again once it has grown by a twentieth
 * of its trigger; the latter two also when it passes its limit. From a share of the window on, the next fold may be
 * made ahead: `prepare_at` says when.
 */
export async function append(query: Query, a: Append): Promise<AppendedThread | undefined> {
  const column = <K extends keyof NewMessage>(key: K) => a.messages.map((message) => message[key]);
  const outputs = a.messages.flatMap((message, i) =>
    message.outputs.map((output) => ({ ...output, ord: i + 1 })),
  );
  const clientIds = column('clientId').filter((id) => id !== null);
  const media = [...new Set(column('mediaHashes').flat())];
  const values = [
    a.projectId,
    a.threadId,
    a.newUid,
    a.baseTokens,
    a.contextWindow,
    a.limitTokens,
    a.triggerTokens,
    a.summaryEnabled,
    a.settingsVersion,
    a.policyVersion,
    a.messages.length,
    a.weight,
    a.leading,
    column('clientId'),
    column('role'),
    column('pinned'),
    column('tokens'),
    column('fullTokens'),
    column('calls'),
    column('answers'),
    column('body'),
    column('hash'),
    column('outputId'),
    a.messages.reduce((sum, message) => sum + message.fullTokens, 0),
    outputs.length,
    column('format'),
    column('images'),
    column('media'),
    a.ahead.tokens,
    a.ahead.makeAfterMs,
    a.ahead.idleMs,
    a.ifLastSeq,
    arrayOrNull(column('sentAt')),
  ];
  const links = [
    outputs.map((output) => output.id),
    outputs.map((output) => output.ord),
    outputs.map((output) => output.place),
    outputs.map((output) => output.tool),
    outputs.map((output) => output.toolCallId),
    media,
  ];
  const [row] =
    a.policyVersion === 0
      ? await query<ThreadRow & AppendedThread>(appendFirst, [...values, clientIds, ...links])
      : outputs.length + media.length > 0
        ? await query<AppendedThread>(appendLinked, [...values, clientIds, ...links])
        : clientIds.length > 0
          ? await query<AppendedThread>(appendNamed, [...values, clientIds])
          : await query<AppendedThread>(appendPlain, values);
  return row;
}
