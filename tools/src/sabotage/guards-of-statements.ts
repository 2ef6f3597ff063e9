import type { Guard } from './guard.js';

/** The two stores, side by side. */
export const stores = {
  file: 'test/simulation/store-agreement.test.ts',
  name: 'the memory store answers and changes rows as Postgres does',
};

const readWithin = {
  file: 'test/threads/thread-statements.test.ts',
  name: 'messages are read within their project alone, by the service too',
};

/** Conditions of the statements in libs/store/src/sql. */
export const guardsOfStatements: Guard[] = [
  {
    name: 'a summary lands only where the last one ended',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: 'AND t.covered_through = $6 AND',
    replace: 'AND $6::int IS NOT NULL AND',
    test: stores,
  },
  {
    name: 'a summary lands only on the generation it was made from',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: 'AND t.generation = $5',
    replace: 'AND $5::int IS NOT NULL',
    test: stores,
  },
  {
    name: 'a summary of text that was erased or restored meanwhile never lands',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: 'AND t.content_version = $7',
    replace: 'AND $7::int IS NOT NULL',
    test: stores,
  },
  {
    name: 'a summary lands only in the chain it continues',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: 'AND t.chain = $4',
    replace: 'AND $4::int IS NOT NULL',
    test: stores,
  },
  {
    name: 'what was appended during a compaction keeps its weight',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: 'greatest(t.live_tokens - $15::int + $26::int, $26::int)',
    replace: 'greatest(0 * $15::int, $26::int)',
    test: stores,
  },
  {
    name: 'a thread has one worker at a time',
    file: 'libs/store/src/sql/compaction/claim.ts',
    find: '    AND (t.lease_until IS NULL OR t.lease_until <= now())\n',
    replace: '',
    test: stores,
  },
  {
    name: 'a thread that backs off is left alone',
    file: 'libs/store/src/sql/compaction/claim.ts',
    find: '    AND (t.next_attempt_at IS NULL OR t.next_attempt_at <= now())\n',
    replace: '',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a thread that backs off is not claimed before its time',
    },
  },
  {
    name: 'a parked thread is left alone',
    file: 'libs/store/src/sql/compaction/claim.ts',
    find: ' AND t.park_reason IS NULL\n',
    replace: '\n',
    test: stores,
  },
  {
    name: 'no thread is claimed while compaction is paused',
    file: 'libs/store/src/sql/compaction/claim.ts',
    find: " AND NOT ${isPaused('$1::uuid')}",
    replace: '',
    test: stores,
  },
  {
    name: 'what a worker made takes no effect while compaction is paused',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: "    AND ($33::text IS NOT NULL OR NOT ${isPaused('$1::uuid')})\n",
    replace: '',
    test: stores,
  },
  {
    name: 'no fold is prepared while compaction is paused',
    file: 'libs/store/src/sql/compaction/prepare.ts',
    find: " AND NOT ${isPaused('$1::uuid')}",
    replace: '',
    test: stores,
  },
  {
    name: 'a model call is given up once compaction is paused',
    file: 'libs/store/src/sql/compaction/heartbeat.ts',
    find: " AND NOT ${isPaused('$1::uuid')}",
    replace: '',
    test: {
      file: 'test/compaction/paused.test.ts',
      name: 'a model call that goes on while compaction is paused is given up with the next renewal of its lease',
    },
  },
  {
    name: 'an attempt is counted when it is claimed, so that a crash counts',
    file: 'libs/store/src/sql/compaction/claim.ts',
    find: 'attempt = t.attempt + 1, ',
    replace: '',
    test: stores,
  },
  {
    name: 'a lost lease is not prolonged',
    file: 'libs/store/src/sql/compaction/heartbeat.ts',
    find: 'AND lease_epoch = $3',
    replace: 'AND $3::int IS NOT NULL',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a worker whose lease another took does not prolong it',
    },
  },
  {
    name: 'a lease that was given back is not taken again by a late heartbeat',
    file: 'libs/store/src/sql/compaction/heartbeat.ts',
    find: 'AND lease_until IS NOT NULL',
    replace: '',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a heartbeat that arrives after the commit does not take the lease again',
    },
  },
  {
    name: 'what is asked for during a compaction is done after it',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: 'request = CASE WHEN t.request IS DISTINCT FROM $21::text THEN t.request END',
    replace: 'request = NULL',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'what is asked for while a compaction runs is still to be done when it is committed',
    },
  },
  {
    name: 'an attempt whose lease is lost does not decide what becomes of the thread',
    file: 'libs/store/src/sql/compaction/finish.ts',
    find: 'AND t.lease_epoch = $3 AND',
    replace: 'AND $3::int IS NOT NULL AND',
    test: stores,
  },
  {
    name: 'a thread that grew since the claim stays due',
    file: 'libs/store/src/sql/compaction/finish.ts',
    find: 'AND (t.next_seq = $10::int OR NOT t.summary_enabled OR t.live_tokens < t.trigger_tokens)',
    replace: '',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a thread that grew during an attempt with nothing to do stays due',
    },
  },
  {
    name: 'a restored generation is computed from the thread as it is',
    file: 'libs/store/src/sql/compaction/restore.ts',
    find: 'AND t.next_seq = $6 AND',
    replace: 'AND $6::int IS NOT NULL AND',
    test: stores,
  },
  {
    name: 'a rewind is computed from the thread as it is',
    file: 'libs/store/src/sql/messages/rewind.ts',
    find: 'AND t.content_version = $6 AND',
    replace: 'AND $6::int IS NOT NULL AND',
    test: stores,
  },
  {
    name: 'a rewind is refused after an append that it does not know',
    file: 'libs/store/src/sql/messages/rewind.ts',
    find: 'AND t.next_seq = $7\n',
    replace: 'AND $7::int IS NOT NULL\n',
    test: stores,
  },
  {
    name: 'a rewind ends a compaction in progress',
    file: 'libs/store/src/sql/messages/rewind.ts',
    find: 'content_version = t.content_version + 1, live_tokens',
    replace: 'live_tokens',
    test: stores,
  },
  {
    name: 'a summary of messages that were rewound meanwhile is never in place',
    file: 'libs/store/src/sql/messages/rewind.ts',
    find: 'content_version = t.content_version + 1, live_tokens',
    replace: 'live_tokens',
    test: {
      file: 'test/faults/rewind-and-fold.test.ts',
      name: 'F57 a rewind while the model works: the summary of what it took back is never in place',
    },
  },
  {
    name: 'a retried rewind is known by its key',
    file: 'libs/service/src/messages/rewind-thread.ts',
    find: 'key === undefined ? undefined : await rewindOfKey',
    replace: "key !== '' ? undefined : await rewindOfKey",
    test: {
      file: 'test/faults/rewind.test.ts',
      name: 'F51 an API killed between COMMIT and the answer of a rewind: the retry is told what was done',
    },
  },
  {
    name: 'a kept context is compared with the thread, which another API may have rewound',
    file: 'libs/service/src/context/read-context.ts',
    find: '(await rt.contextQueue.isStillServed(last.record)) && last.context',
    replace: 'last.context',
    test: {
      file: 'test/faults/rewind.test.ts',
      name: 'F54 Redis flushed again and again',
    },
  },
  {
    name: 'a context of a kept thread is recorded only while the row has its version',
    file: 'libs/service/src/context/read-context.ts',
    find: 'record(rt, query, context, known.row.rowVersion)',
    replace: 'record(rt, query, context, null)',
    test: {
      file: 'test/context/kept-threads.test.ts',
      name: 'a context takes one statement: without a write when nothing changed, and after an append of this process',
    },
  },
  {
    name: 'an append to a kept thread follows no change of its settings',
    file: 'libs/service/src/context/kept-threads.ts',
    find: 'after.policyVersion === before.policyVersion + by.settings',
    replace: 'after.policyVersion !== 0',
    test: {
      file: 'test/context/kept-threads.test.ts',
      name: 'a context takes one statement: without a write when nothing changed, and after an append of this process',
    },
  },
  {
    name: 'an append to a kept thread follows no other change of its messages',
    file: 'libs/service/src/context/kept-threads.ts',
    find: 'after.contentVersion === before.contentVersion',
    replace: 'after.contentVersion !== 0',
    test: {
      file: 'test/context/kept-threads.test.ts',
      name: 'a context takes one statement: without a write when nothing changed, and after an append of this process',
    },
  },
  {
    name: 'a summary of rewound messages is marked with them',
    file: 'libs/store/src/sql/messages/rewind.ts',
    find: 's.to_seq > $3::int AND s.rewound_before = 0',
    replace: 's.to_seq < 0 AND s.rewound_before = 0',
    test: stores,
  },
  {
    name: 'an instruction found in a rewound message goes with it',
    file: 'libs/store/src/sql/messages/rewind.ts',
    find: "i.seq > $3::int AND i.source = 'found'",
    replace: "i.seq < 0 AND i.source = 'found'",
    test: stores,
  },
  {
    name: 'only an exact prefix is appended to',
    file: 'libs/engine/src/reasoning/new-messages.ts',
    find: 'if (hash.digest() === digest)',
    replace: "if (hash.digest() === digest || (digest !== '' && count === messages.length - 1))",
    test: {
      file: 'test/properties/context-since.test.ts',
      name: 'a client that replays what it was handed out always holds exactly the full context',
    },
  },
  {
    name: 'an erasure makes summaries under way void',
    file: 'libs/store/src/sql/threads/erase.ts',
    find: 'content_version = t.content_version + 1, ',
    replace: '',
    test: stores,
  },
  {
    name: 'an append looks its client ids up',
    file: 'libs/store/src/sql/messages/append.ts',
    find: 'm.client_id = ANY($34::text[])',
    replace: 'm.client_id = ANY($34::text[]) AND false',
    test: stores,
  },
  {
    name: 'messages are read within a project',
    file: 'libs/store/src/sql/messages/read-context.ts',
    find: 'FROM messages WHERE project_id = $1 AND thread_uid = $2',
    replace: 'FROM messages WHERE $1::text IS NOT NULL AND thread_uid = $2',
    everywhere: true,
    test: readWithin,
  },
  {
    name: 'messages of several contexts are read within a project',
    file: 'libs/store/src/sql/messages/read-context.ts',
    find: 'WHERE project_id = w.project_id AND thread_uid = w.thread_uid',
    replace: 'WHERE w.project_id IS NOT NULL AND thread_uid = w.thread_uid',
    everywhere: true,
    test: readWithin,
  },
  {
    name: 'a thread is found within a project',
    file: 'libs/store/src/sql/threads/read-thread.ts',
    find: 'WHERE t.project_id = $1 AND t.id = $2`',
    replace: 'WHERE $1::text IS NOT NULL AND t.id = $2`',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a thread is found within its project alone, by the service too',
    },
  },
  {
    name: 'the processes take on a role that row-level security binds',
    file: 'libs/store/src/connection/scoped-query.ts',
    find: "set_config('role', 'spillway_app', false), ",
    replace: '',
    test: {
      file: 'test/trust/row-level-security.test.ts',
      name: 'shows a project its own rows alone, whatever the statement asks for',
    },
  },
  {
    name: 'events are read in the order of their index',
    file: 'libs/store/src/sql/events/events.ts',
    find: ' ORDER BY xid, id LIMIT ${eventsPerPage}) e',
    replace: ') e',
    test: {
      file: 'test/operations/large-tables.test.ts',
      name: 'a reader that is behind reads a page of events at a time',
    },
  },
  {
    name: 'no statement removes an event that is younger than a week',
    file: 'prisma/migrations/20270105000000_event_partitions/migration.sql',
    find: `WHEN (OLD.at >= now() - interval '7 days')`,
    replace: `WHEN (OLD.at >= now() + interval '99 days')`,
    test: {
      file: 'test/events/event-partitions.test.ts',
      name: 'and a worker of that version, which names rows by their place, removes old ones alone',
    },
  },
  {
    name: 'row-level security binds who reads a partition of events',
    file: 'prisma/migrations/20270105000000_event_partitions/migration.sql',
    find: `  EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', name);\n`,
    replace: '',
    test: {
      file: 'test/events/event-partitions.test.ts',
      name: 'A10 shows a project its own rows alone to whoever was given the right to read it',
    },
  },
  {
    name: 'a day of events is dropped once all of it is older than a week',
    file: 'prisma/migrations/20270105000000_event_partitions/migration.sql',
    find: `'([^']+)'\\)$q$)::timestamptz <= oldest_kept`,
    replace: `'([^']+)'\\)$q$)::timestamptz <= oldest_kept + interval '1 day'`,
    test: {
      file: 'test/events/event-partitions.test.ts',
      name: 'drops a day once all of it is older than seven days',
    },
  },
  {
    name: 'a thread that was changed while an attempt ran is not parked for it',
    file: 'libs/store/src/sql/compaction/finish.ts',
    find: 'park_reason = CASE WHEN ${isSame} THEN $7::text END',
    replace: 'park_reason = $7::text',
    test: {
      file: 'test/compaction/changed-while-running.test.ts',
      name: 'a thread is not parked as irreducible under a policy that was replaced while it was planned',
    },
  },
  {
    name: 'the same request for newer messages is another one',
    file: 'libs/service/src/compaction/request-compaction.ts',
    find: '{ ...request, seq: thread.headSeq }',
    replace: 'request',
    test: {
      file: 'test/compaction/changed-while-running.test.ts',
      name: 'a request that comes again for newer messages while the first is worked on is made for them too',
    },
  },
  {
    name: 'what requests bring counts as live tokens',
    file: 'libs/service/src/context/read-context.ts',
    find: 'await countRequest(rt, context);',
    replace: ';',
    test: {
      file: 'test/context/request-tokens.test.ts',
      name: 'a thread whose requests bring a long prompt is compacted before its contexts leave messages out',
    },
  },
  {
    name: 'an attempt that reports late is not counted among the lost ones',
    file: 'libs/store/src/sql/compaction/finish.ts',
    find: 'lost_attempts = greatest(t.lost_attempts - 1, 0)',
    replace: 'lost_attempts = t.lost_attempts',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'an attempt that reports after another took its lease no longer counts as lost',
    },
  },
  {
    name: 'an index that waits for other transactions is given up in the end',
    file: 'libs/store/src/migrations/outside-transaction.ts',
    find: "await watcher.query('SELECT pg_cancel_backend($1)', [pid]);",
    replace: '',
    test: {
      file: 'test/faults/postgres/migration.test.ts',
      name: 'F78 a long transaction while an index is built concurrently: the migration gives up in the end, and the next run builds it',
    },
  },
  {
    name: 'an index that was given up is built again',
    file: 'libs/store/src/migrations/outside-transaction.ts',
    find: '  await dropInvalidIndex(client, given);',
    replace: '',
    test: {
      file: 'test/faults/postgres/migration.test.ts',
      name: 'F78 a long transaction while an index is built concurrently: the migration gives up in the end, and the next run builds it',
    },
  },
  {
    name: 'a migration that waits for a lock lets requests pass',
    file: 'libs/store/src/migrations/migrate.ts',
    find: 'SET LOCAL lock_timeout = ${lockMs}',
    replace: 'SET LOCAL lock_timeout = 0',
    test: {
      file: 'test/faults/postgres/migration.test.ts',
      name: 'F78 a long transaction during an upgrade: requests go on, and the migration comes after it',
    },
  },
  {
    name: 'a summary whose model saw a message beside its range goes with it',
    file: 'libs/service/src/summaries/summarize-range.ts',
    find: 'seenSeq: conversation.seenSeq',
    replace: 'seenSeq: 0',
    test: {
      file: 'test/compaction/summary-quality.test.ts',
      name: 'a summary by a model that saw newer messages beside its range goes when one of those is erased',
    },
  },
  {
    name: 'an error is dropped that may repeat a message which was erased meanwhile',
    file: 'libs/store/src/sql/compaction/finish.ts',
    find: 'error = CASE WHEN $15::int IN (SELECT content_version FROM seen) THEN $6::text END',
    replace: 'error = $6::text',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'and when the erasure is written first',
    },
  },
];
