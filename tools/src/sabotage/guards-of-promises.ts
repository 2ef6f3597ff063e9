import type { Guard } from './guard.js';

const byHistory = 'test/proxies/found-by-history.test.ts';

/** The faults that would break a promise outright, each made once in the product's own code. */
export const guardsOfPromises: Guard[] = [
  {
    name: 'an owner that may create no roles migrates once the role is there',
    file: 'libs/store/src/migrations/existing-role.ts',
    find: "return sql.replace(createRole, 'NULL;');",
    replace: 'return sql;',
    test: {
      file: 'test/trust/table-owner.test.ts',
      name: 'is told what an administrator has to run, and migrates after that',
    },
  },
  {
    name: 'a model is not called once the tokens of the day are spent',
    file: 'libs/service/src/proxies/proxy-turn.ts',
    find: 'await refuseSpentChat(rt, call);',
    replace: '',
    test: {
      file: 'test/proxies/chat-budget.test.ts',
      name: 'once the tokens of the day are spent model calls get a 429, and nothing of them is recorded',
    },
  },
  {
    name: 'a subagent has a thread of its own',
    file: 'apps/api/src/proxies/proxied-thread.ts',
    find: '`${session}:${agent}`',
    replace: 'session',
    test: {
      file: 'test/proxies/thread-names.test.ts',
      name: 'a session of Claude Code is a thread, and each of its subagents has one of its own',
    },
  },
  {
    name: 'a header decides before a base URL',
    file: 'apps/api/src/proxies/routed-url.ts',
    find: '] ??= value',
    replace: '] = value',
    test: {
      file: 'test/proxies/thread-names.test.ts',
      name: 'a header decides before a base URL, and a base URL before what the body says',
    },
  },
  {
    name: 'only the routes of the proxies have a base URL that names a thread',
    file: 'apps/api/src/proxies/routed-url.ts',
    find: 'responses|messages|models)',
    replace: 'responses|messages|models|threads)',
    test: {
      file: 'test/proxies/thread-names.test.ts',
      name: 'a base URL with %s is refused, and nothing is recorded',
    },
  },
  {
    name: 'conversations that begin with the same words are apart',
    file: 'libs/service/src/proxies/history-end.ts',
    find: 'found && (found.isOpen || isAnswered)',
    replace: 'found',
    test: { file: byHistory, name: 'goes on after a call that failed, and after one that was cut off' },
  },
  {
    name: 'a conversation that failed goes on where it stood',
    file: 'libs/service/src/proxies/proxy-turn.ts',
    find: '!called.answer.ok',
    replace: 'false',
    test: { file: byHistory, name: 'goes on after a call that failed, and after one that was cut off' },
  },
  {
    name: 'one call goes on from an end, and another one from there is a branch',
    file: 'libs/store/src/sql/messages/history-ends.ts',
    find: 'NOT e.taken AND ',
    replace: '',
    test: { file: byHistory, name: 'sent several times at once is as many threads, each whole' },
  },
  {
    name: 'the digest of a conversation goes when one of its messages is erased',
    file: 'libs/store/src/sql/compaction/withdraw.ts',
    find: 'AND e.seq >= $4::int',
    replace: 'AND false',
    test: { file: byHistory, name: 'is not found in what was rewound or erased' },
  },
  {
    name: 'nothing is found in rewound messages',
    file: 'libs/store/src/sql/messages/history-ends.ts',
    find: 'm.seq = e.seq AND m.rewound_before = 0',
    replace: 'm.seq = e.seq',
    test: { file: byHistory, name: 'is not found in what was rewound or erased' },
  },
  {
    name: 'a call for the title of a session is not recorded in it',
    file: 'apps/api/src/proxies/proxied-thread.ts',
    find: "isBeside(body) ? 'beside' : sessionNamedBy(sent)",
    replace: 'sessionNamedBy(sent)',
    test: {
      file: 'test/proxies/thread-names.test.ts',
      name: 'a call beside a session, as for its title, is passed on as it is, counted, and not recorded',
    },
  },
  {
    name: 'a stream that its caller leaves spends the budget',
    file: 'libs/service/src/proxies/relay.ts',
    find: 'if (!recorded)',
    replace: 'if (!recorded && collector.usage)',
    test: {
      file: 'test/proxies/chat-budget.test.ts',
      name: 'A129 a stream that its caller leaves before it reports its usage spends the budget all the same',
    },
  },
  {
    name: 'no append waits for a compaction',
    file: 'libs/service/src/messages/append-messages.ts',
    find: 'hintCompaction(rt, row);',
    replace: `if (row.state === 'due') await (await import('../compaction/compact-thread.js')).compactThread(rt, { projectId: row.projectId, threadId: row.id });`,
    test: { file: 'test/context/journey.test.ts', name: 'no append and no context waits for a compaction' },
  },
  {
    name: 'a stub names the lines that it does not show, and no others',
    file: 'libs/engine/src/outputs/preview/lines/render-lines.ts',
    find: 'parts.push(gap(next, i - 1, alike));',
    replace: 'parts.push(gap(next, i, alike));',
    test: {
      file: 'libs/engine/src/outputs/preview/odd-lines.test.ts',
      name: 'every line that a stub of text calls not shown is not shown, and every other one is',
    },
  },
  {
    name: 'no context is over its limit, not by one token',
    file: 'libs/engine/src/context/fit.ts',
    find: 'if (whole <= limit)',
    replace: 'if (whole <= limit + 1)',
    test: { file: 'libs/engine/src/context/fit.test.ts', name: 'is not one token over its limit' },
  },
  {
    name: 'a cut does not separate a call from its result',
    file: 'libs/engine/src/compaction/plan.ts',
    find: 'toSeq: lastSeq(last),',
    replace: 'toSeq: lastSeq(last) - 1,',
    test: {
      file: 'test/properties/contexts.test.ts',
      name: 'contexts are within budget and valid, grow only at their end, and cover every message once',
    },
  },
  {
    name: 'a compaction is told in an event',
    file: 'prisma/migrations/20261122100000_events/migration.sql',
    find: 'CREATE TRIGGER "event_summarized" AFTER INSERT ON "summaries" FOR EACH ROW EXECUTE FUNCTION spillway_tell_summarized();',
    replace: '',
    test: {
      file: 'test/events/events.test.ts',
      name: 'tells everything that happens to a thread, in order, in ids and numbers',
    },
  },
  {
    name: 'every table has a policy of row-level security',
    file: 'prisma/migrations/20261122000000_trust/migration.sql',
    find: 'CREATE POLICY "own_project" ON "media_uses" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));',
    replace: 'CREATE POLICY "own_project" ON "media_uses" USING (true);',
    test: {
      file: 'test/trust/row-level-security.test.ts',
      name: 'is forced on every table that has a project, and the app owns none of them',
    },
  },
];
