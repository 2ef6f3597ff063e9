import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Invariant, JournalEntry } from '@spillway/testing';

interface Break {
  what: string;
  invariant: Invariant;
  /** A statement with `AS changed` must have changed something. */
  sql?: string[];
  /** False: there was nothing to break. */
  inJournal?: (entries: JournalEntry[]) => boolean;
  inFolder?: (
    folder: string,
    key: string,
    write: (path: string, text: string) => Promise<void>,
  ) => Promise<void>;
  modelCalls?: number;
}

const counted = (statement: string) =>
  `WITH c AS (${statement} RETURNING 1) SELECT count(*)::int AS changed FROM c`;
/** A message in the middle of the longest thread. */
const middle = `(thread_uid, seq) = (SELECT thread_uid, max(seq) / 2 FROM messages GROUP BY 1 ORDER BY max(seq) DESC LIMIT 1)`;
const unwatched = 'ALTER TABLE messages DISABLE TRIGGER note_message_change';
/** The thread with most generations in its chain. */
const longChain = `(SELECT thread_uid FROM summaries GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)`;

const first = <K extends JournalEntry['kind']>(
  entries: JournalEntry[],
  kind: K,
  change: (entry: Extract<JournalEntry, { kind: K }>) => void,
  fits: (entry: Extract<JournalEntry, { kind: K }>) => boolean = () => true,
): boolean => {
  const found = entries.find(
    (entry): entry is Extract<JournalEntry, { kind: K }> =>
      entry.kind === kind && fits(entry as Extract<JournalEntry, { kind: K }>),
  );
  if (found) change(found);
  return found !== undefined;
};

/** What a defect would leave behind, done by hand to a copy of a healthy run. */
export const breaks: Break[] = [
  {
    what: 'an acknowledged message is gone',
    invariant: 'I1',
    sql: [unwatched, counted(`DELETE FROM messages WHERE ${middle}`)],
  },
  {
    what: 'two acknowledged messages changed places',
    invariant: 'I1',
    sql: [
      unwatched,
      'ALTER TABLE messages DROP CONSTRAINT messages_pkey',
      counted('UPDATE messages SET seq = 7 - seq WHERE seq IN (3, 4)'),
    ],
  },
  {
    what: 'a context is older than an answer',
    invariant: 'I1',
    inJournal: (all) => first(all, 'context', (entry) => (entry.ackedBefore = entry.lastSeq + 1)),
  },
  {
    what: 'a hole at the end of a thread',
    invariant: 'I2',
    sql: [counted('UPDATE threads SET next_seq = next_seq + 1')],
  },
  {
    what: 'a hole in the middle',
    invariant: 'I2',
    sql: [unwatched, counted(`DELETE FROM messages WHERE ${middle}`)],
  },
  {
    what: 'a later message has an earlier seq',
    invariant: 'I3',
    inJournal: (all) =>
      first(
        all,
        'ack',
        (entry) => (entry.seq = 1),
        (entry) => entry.seq > 20,
      ),
  },
  {
    what: 'a message is there twice',
    invariant: 'I4',
    sql: [
      'DROP INDEX messages_client_id_thread_uid_project_id_rewound_before_key',
      counted(
        `INSERT INTO messages (project_id, thread_uid, seq, client_id, role, pinned, tokens, full_tokens, body, hash)
        SELECT project_id, thread_uid, (SELECT next_seq FROM threads WHERE uid = thread_uid), client_id, role, pinned, tokens, full_tokens, body, hash
        FROM messages WHERE ${middle}`,
      ),
    ],
  },
  {
    what: 'a message that nobody sent',
    invariant: 'I4',
    sql: [unwatched, counted(`UPDATE messages SET client_id = 'ghost' WHERE ${middle}`)],
  },
  {
    what: 'a byte of a body flipped',
    invariant: 'I5',
    sql: [
      unwatched,
      counted(`UPDATE messages SET body = replace(body, 'e', 'E') WHERE output_id IS NULL AND seq = 1`),
    ],
  },
  {
    what: 'a body and its hash are of another message',
    invariant: 'I5',
    sql: [unwatched, counted(`UPDATE messages SET body = '{}', hash = sha256('{}') WHERE ${middle}`)],
  },
  {
    what: 'a range overlaps the one before',
    invariant: 'I6',
    sql: [counted(`UPDATE summaries SET from_seq = from_seq - 1 WHERE from_seq > 1`)],
  },
  {
    what: 'a hole between two ranges',
    invariant: 'I6',
    sql: [counted(`UPDATE summaries SET from_seq = from_seq + 1 WHERE from_seq > 1`)],
  },
  {
    what: 'a generation in the middle of a chain is gone',
    invariant: 'I6',
    sql: [counted(`DELETE FROM summaries WHERE thread_uid = ${longChain} AND generation = 1`)],
  },
  {
    what: 'the thread claims more than its chain covers',
    invariant: 'I6',
    sql: [counted('UPDATE threads SET covered_through = covered_through + 1 WHERE generation > 0')],
  },
  {
    what: 'a generation without an attempt',
    invariant: 'I7',
    sql: [counted(`UPDATE compaction_attempts SET outcome = 'lost_cas' WHERE outcome = 'compacted'`)],
  },
  {
    what: 'a generation won twice',
    invariant: 'I7',
    sql: [
      counted(
        `INSERT INTO compaction_attempts (project_id, thread_uid, epoch, trigger, outcome, generation, from_seq, to_seq) SELECT project_id, thread_uid, epoch + 1000, trigger, outcome, generation, from_seq, to_seq FROM compaction_attempts WHERE outcome = 'compacted'`,
      ),
    ],
  },
  {
    what: 'a thread due for ten minutes',
    invariant: 'I8',
    sql: [
      counted(
        `UPDATE threads SET needs_compaction = true, requested_at = now() - interval '10 min', updated_at = now() - interval '10 min', lease_until = NULL, next_attempt_at = NULL`,
      ),
    ],
  },
  {
    what: 'a lease that is still held',
    invariant: 'I8',
    sql: [counted(`UPDATE threads SET lease_until = now() + interval '1 h'`)],
  },
  {
    what: 'an attempt that runs for ever',
    invariant: 'I8',
    sql: [counted(`UPDATE compaction_attempts SET outcome = NULL WHERE outcome = 'compacted'`)],
  },
  {
    what: 'a context over its budget',
    invariant: 'I9',
    inJournal: (all) => first(all, 'context', (entry) => (entry.tokens = entry.limit + 1)),
  },
  {
    what: 'a context that counts too little',
    invariant: 'I9',
    inJournal: (all) => first(all, 'context', (entry) => (entry.counted = entry.limit + 1)),
  },
  {
    what: 'a context that hides a message',
    invariant: 'I9',
    inJournal: (all) =>
      first(
        all,
        'context',
        (entry) => (entry.shown = []),
        (entry) => entry.shown.length > 0,
      ),
  },
  {
    what: 'a context that a provider refuses',
    invariant: 'I10',
    inJournal: (all) => first(all, 'context', (entry) => (entry.complaint = 'message 3 answers no call x')),
  },
  {
    what: 'a stored message was updated',
    invariant: 'I11',
    sql: [counted(`UPDATE messages SET tokens = tokens + 1 WHERE ${middle}`)],
  },
  {
    what: 'a thread that is tried for ever',
    invariant: 'I12',
    sql: [
      counted(
        `INSERT INTO compaction_attempts (project_id, thread_uid, epoch, trigger, outcome) SELECT t.project_id, t.uid, 10000 + n, 'automatic', 'failed' FROM threads t, generate_series(1, 17) n`,
      ),
    ],
  },
  { what: 'more calls of the model than attempts explain', invariant: 'I12', modelCalls: 1_000_000 },
  {
    what: 'the bytes of an output are gone',
    invariant: 'I13',
    inFolder: (folder, key) => rm(join(folder, key)),
  },
  {
    what: 'an output lost its end',
    invariant: 'I13',
    inFolder: (folder, key) => truncate(join(folder, key), 10),
  },
  {
    what: 'a byte of an output flipped',
    invariant: 'I13',
    inFolder: async (folder, key, write) => {
      const text = await readFile(join(folder, key), 'utf8');
      await write(join(folder, key), `X${text.slice(1)}`);
    },
  },
  {
    what: 'a read gave wrong bytes',
    invariant: 'I13',
    inJournal: (all) =>
      first(
        all,
        'output',
        (entry) => (entry.sha256 = 'f'.repeat(64)),
        (entry) => entry.status === 200,
      ),
  },
  {
    what: 'an output was gone before its time',
    invariant: 'I13',
    inJournal: (all) => first(all, 'output', (entry) => (entry.status = 410)),
  },
  {
    what: 'a blob whose row is gone',
    invariant: 'I14',
    sql: [counted(`DELETE FROM outputs WHERE state = 'ready'`)],
  },
  {
    what: 'a blob whose row says deleted',
    invariant: 'I14',
    sql: [counted(`UPDATE outputs SET state = 'deleted' WHERE state = 'ready'`)],
  },
  {
    what: 'half a file of a writer that died',
    invariant: 'I14',
    inFolder: async (folder) => {
      const path = join(folder, '.tmp/half');
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, 'x');
    },
  },
  {
    what: 'a sweep that never came',
    invariant: 'I14',
    sql: [
      counted(
        `UPDATE outputs SET state = 'deleting', delete_after = now() - interval '1 day' WHERE state = 'ready'`,
      ),
    ],
  },
  {
    what: 'text of another project in a context',
    invariant: 'I16',
    inJournal: (all) => first(all, 'context', (entry) => (entry.canaries = ['default', 'second'])),
  },
  {
    what: 'text of another project in an output',
    invariant: 'I16',
    inJournal: (all) => first(all, 'output', (entry) => (entry.canaries = ['default', 'second'])),
  },
  {
    what: 'a message that was refused',
    invariant: 'P17',
    inJournal: (all) =>
      all.push({
        kind: 'refused',
        project: 'default',
        thread: 't0',
        id: 't0-1',
        status: 500,
        code: 'internal_error',
        at: 0,
      }) > 0,
  },
];
