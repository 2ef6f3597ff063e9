import type { Guard } from '../guard.js';

const searchRange = 'libs/service/src/search/search-range.test.ts';

const simulation = {
  file: 'test/simulation/simulation.test.ts',
  name: 'whatever fails, and in whatever order things happen, threads keep their promises and come to rest',
};

/** What keeps searches whole, and what the service does on the side from getting lost. */
export const guardsOfSearch: Guard[] = [
  {
    name: 'a search goes on with older messages until everything was searched',
    findings: ['code 2'],
    file: 'libs/service/src/search/search-range.ts',
    find: 'isPartial ? older : null',
    replace: 'older && null',
    test: {
      file: searchRange,
      name: 'following the cursor of a search finds every hit exactly once, wherever time runs out',
    },
  },
  {
    name: 'a page of a search begins after the last hit of the page before',
    findings: ['integration 11'],
    file: 'libs/service/src/search/search-range.ts',
    find: '!after || compareHits(hit, after) > 0',
    replace: 'true',
    test: {
      file: searchRange,
      name: 'following the cursor of a search finds every hit exactly once, wherever time runs out',
    },
  },
  {
    name: 'a search that Postgres stops for taking too long is told apart from an outage',
    findings: ['code 13'],
    file: 'libs/service/src/search/search-errors.ts',
    find: 'if (!isStatementTimeout(error))',
    replace: 'if (error)',
    test: {
      file: 'test/threads/thread-search.test.ts',
      name: 'that Postgres stops for taking too long says so, and not that the database is away',
    },
  },
  {
    name: 'a schedule that differs from the catalogue is replaced',
    findings: ['code 15'],
    file: 'libs/jobs/src/hints.ts',
    find: 'stopped || found?.every !== every',
    replace: 'stopped || !found',
    test: {
      file: 'test/operations/queues.test.ts',
      name: 'a job whose schedule changed is repeated as the catalogue says',
    },
  },
  {
    name: 'a recovery to an earlier moment begins an epoch of events',
    file: 'libs/store/src/migrations/begin-event-epoch.ts',
    find: ' OR event_epochs.timeline <> $2::int',
    replace: ' OR $2::int < 0',
    test: {
      file: 'test/faults/postgres/recovery.test.ts',
      name: 'F80 a database recovered to an earlier moment: new events come after all that readers have',
    },
  },
  {
    name: 'a restore into another cluster begins an epoch of events',
    findings: ['code 8'],
    file: 'libs/store/src/migrations/begin-event-epoch.ts',
    find: 'if (rowCount === 0)',
    replace: 'if (rowCount !== null)',
    test: {
      file: 'test/events/webhooks.test.ts',
      name: 'goes on after the database was restored into another cluster, and so does a stream',
    },
  },
  {
    name: 'a repeated append takes no second connection while it holds the lock of the thread',
    findings: ['code 9'],
    file: 'libs/service/src/messages/append-again.ts',
    find: 'if (known.some((row) => !recalled.has(row.seq)))',
    replace: 'await recall(rt, input); if (known.some((row) => !recalled.has(row.seq)))',
    test: {
      file: 'test/messages/append-again.test.ts',
      name: 'a message with an image that is posted again needs no second connection while the thread is locked',
    },
  },
  {
    name: 'looking for due threads skips projects that have none',
    findings: ['code 12'],
    file: 'libs/store/src/sql/compaction/due.ts',
    find: 'FROM waiting w CROSS JOIN LATERAL (',
    replace: 'FROM (SELECT id AS project_id FROM projects) w CROSS JOIN LATERAL (',
    test: {
      file: 'test/compaction/due-statements.test.ts',
      name: 'looking for due threads costs nothing for projects that have none',
    },
  },
  {
    name: 'usage is compared with the context that was served for the call',
    findings: ['code 1'],
    file: 'libs/service/src/context/calibrate-thread.ts',
    find: 'inputTokens, served.tokens)',
    replace: 'inputTokens, row.liveTokens)',
    test: simulation,
  },
  {
    name: 'at shows the summary that was served, and not the one of now',
    findings: ['integration 4'],
    file: 'libs/service/src/context/read-context.ts',
    find: 'served.generation === 0',
    replace: 'served.seq > 0',
    test: simulation,
  },
  {
    name: 'a thread is weighed again from what stands beside its summary',
    findings: ['code 11'],
    file: 'libs/service/src/threads/live-tokens.ts',
    find: 'after: summary?.toSeq ?? 0',
    replace: 'after: 0',
    test: simulation,
  },
  {
    name: 'a summary that is under way does not land on a message that was pinned meanwhile',
    findings: ['integration 11'],
    file: 'libs/store/src/sql/messages/pin-message.ts',
    find: 'content_version = t.content_version + 1, ',
    replace: '',
    test: {
      file: 'test/simulation/store-agreement.test.ts',
      name: 'the memory store answers and changes rows as Postgres does',
    },
  },
  {
    name: 'a backlog of jobs is told apart from keys that are left over',
    findings: ['soak'],
    file: 'libs/testing/src/stack/queue-keys.ts',
    find: "(redis.call('DBSIZE') - waiting - queued)",
    replace: "(redis.call('DBSIZE') - queued)",
    test: {
      file: 'test/operations/queues.test.ts',
      name: 'a backlog of jobs is not taken for keys that are left over, and keys that are left over are',
    },
  },
];
