import type { Query } from '../../connection/store.js';
import { appendedColumns, appendedRow, type AppendedThread } from '../../threads/thread-row.js';
import type { Append, NewMessage } from './append.js';
import { appendedTo, postedColumns, postedOf } from './appended-to.js';
import { unnested, valuesOf, type Columns } from './unnested.js';

/** The parameters of each append, in the order of its own columns. */
const askedColumns: Columns<Append> = {
  thread_id: ['text', (a) => a.threadId],
  message_count: ['int', (a) => a.messages.length],
  weight: ['int', (a) => a.weight],
  leading_count: ['int', (a) => a.leading],
  full_tokens: ['bigint', (a) => a.messages.reduce((sum, message) => sum + message.fullTokens, 0)],
  context_window: ['int', (a) => a.contextWindow],
  limit_tokens: ['int', (a) => a.limitTokens],
  trigger_tokens: ['int', (a) => a.triggerTokens],
  summary_enabled: ['bool', (a) => a.summaryEnabled],
  settings_version: ['int', (a) => a.settingsVersion],
  policy_version: ['int', (a) => a.policyVersion],
  ahead_tokens: ['int', (a) => a.ahead.tokens],
  make_after_ms: ['bigint', (a) => a.ahead.makeAfterMs],
  idle_ms: ['bigint', (a) => a.ahead.idleMs],
  if_last_seq: ['int', (a) => a.ifLastSeq],
};

/** A message with the position of its append in the group, and its own in the append, both from 1. */
interface Posted {
  append: number;
  ord: number;
  message: NewMessage;
}

/** The parameters of each message, in the order of `postedColumns`. */
const messageColumns: Columns<Posted> = {
  append: ['int', (p) => p.append],
  ord: ['int', (p) => p.ord],
  client_id: ['text', (p) => p.message.clientId],
  role: ['text', (p) => p.message.role],
  pinned: ['bool', (p) => p.message.pinned],
  tokens: ['int', (p) => p.message.tokens],
  full_tokens: ['int', (p) => p.message.fullTokens],
  calls: ['text', (p) => p.message.calls],
  answers: ['text', (p) => p.message.answers],
  body: ['text', (p) => p.message.body],
  hash: ['bytea', (p) => p.message.hash],
  output_id: ['text', (p) => p.message.outputId],
  format: ['text', (p) => p.message.format],
  images: ['int', (p) => p.message.images],
  media: ['text', (p) => p.message.media],
  sent_at: ['timestamptz', (p) => p.message.sentAt, 'rare'],
};

const grown = appendedTo('t', {
  count: 'a.message_count',
  weight: 'a.weight',
  leading: 'a.leading_count',
  fullTokens: 'a.full_tokens',
  outputs: '0',
  contextWindow: 'a.context_window',
  limitTokens: 'a.limit_tokens',
  triggerTokens: 'a.trigger_tokens',
  summaryEnabled: 'a.summary_enabled',
  policyVersion: 'a.policy_version',
  aheadTokens: 'a.ahead_tokens',
  makeAfterMs: 'a.make_after_ms',
  idleMs: 'a.idle_ms',
  ifLastSeq: 'a.if_last_seq',
});

/** A client id that is recorded already: that append is left to its own statement. */
const hasNoRecorded = `NOT EXISTS (SELECT FROM posted p JOIN messages m ON m.project_id = $1::uuid AND m.thread_uid = t.uid
      AND m.client_id = p.client_id AND m.rewound_before = 0 WHERE p.append = a.append)`;

const askedCount = Object.keys(askedColumns).length;

// Threads are joined by columns of `asked` and `free` alone: given a project, Postgres might read all of its threads.
const textOf = (also: string): string => `
WITH asked AS MATERIALIZED (
  SELECT $1::uuid AS project_id, a.*
  FROM ${unnested(askedColumns, 2)} WITH ORDINALITY AS a(${Object.keys(askedColumns).join(', ')}, append)
), posted AS (
  SELECT * FROM ${unnested(messageColumns, 2 + askedCount)} AS m(${Object.keys(messageColumns).join(', ')})
), free AS (
  SELECT t.uid, a.* FROM asked a JOIN threads t ON t.project_id = a.project_id AND t.id = a.thread_id
  WHERE a.settings_version = (SELECT settings_version FROM projects WHERE id = $1::uuid)
    AND ${grown.where}${also}
  FOR NO KEY UPDATE OF t SKIP LOCKED
), thread AS (
  UPDATE threads t SET
    ${grown.set}
  FROM free a WHERE t.project_id = a.project_id AND t.uid = a.uid
  RETURNING ${appendedRow('t')}, a.append, a.message_count, a.settings_version
), inserted AS (
  INSERT INTO messages (project_id, thread_uid, seq, ${postedColumns})
  SELECT $1::uuid, thread.uid, thread.next_seq - thread.message_count - 1 + p.ord, ${postedOf('p')}
  FROM thread JOIN posted p USING (append)
)
SELECT append::int, ${appendedColumns('thread', 'thread.settings_version')} FROM thread`;

const groupPlain = { name: 'append-group-plain', text: textOf('') };
const groupNamed = { name: 'append-group-named', text: textOf(` AND ${hasNoRecorded}`) };

/** Whether `appendGroup` can record it: nothing is linked to its messages, and the thread is known to exist. */
export const canBeGrouped = (a: Append): boolean =>
  a.policyVersion > 0 &&
  a.messages.every((message) => message.outputs.length === 0 && message.mediaHashes.length === 0);

/**
 * Records appends to several threads of one project in one round trip and one transaction, with the guarantees of
 * `append` for each. It never waits: a thread that another transaction has locked is passed over, as is one that does
 * not exist, was erased, has other settings or another newest seq, or has one of the client ids already. These have
 * undefined in place of their row, and nothing of them is written. No thread may come twice. Throws when one of them
 * is refused by a constraint, and then nothing of any is written.
 */
export async function appendGroup(
  query: Query,
  appends: readonly Append[],
): Promise<(AppendedThread | undefined)[]> {
  const posted = appends.flatMap(({ messages }, i) =>
    messages.map((message, j): Posted => ({ append: i + 1, ord: j + 1, message })),
  );
  const hasIds = posted.some(({ message }) => message.clientId !== null);
  const rows = await query<AppendedThread & { append?: number }>(hasIds ? groupNamed : groupPlain, [
    appends[0]!.projectId,
    ...valuesOf(askedColumns, appends),
    ...valuesOf(messageColumns, posted),
  ]);
  const byAppend = new Map(rows.map(({ append, ...row }) => [append, row]));
  return appends.map((_, i) => byAppend.get(i + 1));
}
