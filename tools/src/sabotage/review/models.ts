import type { Guard } from '../guard.js';

/** Model calls, policies and erasure. */
export const guardsOfModels: Guard[] = [
  {
    name: 'a summary schema may use listed keywords only',
    findings: ['security H2'],
    file: 'libs/llm/src/summary-schema/summary-schema.ts',
    find: '!Object.hasOwn(keywords, keyword)',
    replace: '!keyword',
    test: {
      file: 'libs/llm/src/summary-schema/summary-schema.test.ts',
      name: 'a keyword that is not listed is refused with its path',
    },
  },
  {
    name: 'the depth of a summary schema is limited',
    findings: ['security H2'],
    file: 'libs/llm/src/summary-schema/summary-schema.ts',
    find: 'depth > schemaLimits.depth',
    replace: 'depth > 1000 * schemaLimits.depth',
    test: {
      file: 'libs/llm/src/summary-schema/summary-schema.test.ts',
      name: 'size, depth and the number of schemas are limited',
    },
  },
  {
    name: 'a schema that is refused today is refused in the worker too',
    findings: ['security H2'],
    file: 'libs/llm/src/summary-shape.ts',
    find: 'const [problem] = schemaProblems(schema);',
    replace: 'const [problem] = schema ? [] : schemaProblems(schema);',
    test: { file: 'libs/llm/src/summary-shape.test.ts', name: 'a schema that is not supported has no shape' },
  },
  {
    name: 'a 404 or 400 is the fault of the request and not of the provider',
    findings: ['security M1'],
    file: 'libs/llm/src/summarizers/model-error.ts',
    find: 'if (status >= 400 && status < 500 && !transientStatuses.has(status))',
    replace: 'if (status < 0)',
    test: {
      file: 'libs/llm/src/summarizers/model-error.test.ts',
      name: 'most 4xx answers are the fault of the request',
    },
  },
  {
    name: 'the breaker of a provider is kept per project and model',
    findings: ['security M1'],
    file: 'libs/llm/src/provider-gates.ts',
    find: 'const key = `${projectId} ${model}`;',
    replace: "const key = '';",
    test: {
      file: 'libs/llm/src/provider-gates.test.ts',
      name: 'a project whose calls all fail is paused, and pauses no other project and no other model',
    },
  },
  {
    name: 'a model name is one segment of a Google URL',
    findings: ['security L1'],
    file: 'libs/llm/src/summarizers/providers.ts',
    find: 'encodeURIComponent(name)',
    replace: 'name',
    test: {
      file: 'libs/llm/src/summarizers/providers.test.ts',
      name: 'a model name never leaves its place in a Google URL',
    },
  },
  {
    name: 'the newest of many identifiers is found without spreading them',
    findings: ['code 16'],
    file: 'libs/engine/src/ledger/ledger.ts',
    find: 'entries.reduce((newest, { seq }) => Math.max(newest, seq), 1)',
    replace: 'Math.max(1, ...entries.map((entry) => entry.seq))',
    test: {
      file: 'libs/engine/src/ledger/ledger.test.ts',
      name: 'a million identifiers and one huge line are read in linear time',
    },
  },
  {
    name: 'chat needs a key that may read contexts',
    findings: ['security H4'],
    file: 'libs/contracts/src/routes/threads.ts',
    find: "alsoScope: 'context:read',",
    replace: '',
    test: {
      file: 'test/context/chat.test.ts',
      name: 'a key that may not read contexts cannot have the model repeat one',
    },
  },
  {
    name: 'a caller of chat chooses among allowed models',
    findings: ['security H4'],
    file: 'libs/service/src/chat/chat-model.ts',
    find: 'if (isAllowed)',
    replace: 'if (isAllowed || model)',
    test: {
      file: 'libs/service/src/chat/chat-model.test.ts',
      name: 'without a list the thread and the server choose the model, and a caller does not',
    },
  },
  {
    name: 'calls to a model follow no redirect',
    findings: ['security H4'],
    file: 'libs/llm/src/patient-fetch.ts',
    find: "redirect: 'error'",
    replace: "redirect: 'follow'",
    test: {
      file: 'test/context/chat.test.ts',
      name: 'the call to the model follows no redirect, and ends when the client hangs up',
    },
  },
  {
    name: 'a turn of chat is counted',
    findings: ['security H4'],
    file: 'libs/service/src/chat/chat.ts',
    find: 'await countTurn(rt, spender, { model, context, usage: answer.usage, reply: [answer.message] });',
    replace: '',
    test: {
      file: 'test/context/chat.test.ts',
      name: 'a caller chooses no model but those allowed, and what a turn took is in the usage',
    },
  },
  {
    name: 'an attempt that an erasure aborts reports back',
    findings: ['code 18'],
    file: 'libs/service/src/compaction/end-attempt.ts',
    find: 'if (lease.signal.aborted || isAborted(error)) {',
    replace: "if (lease.signal.aborted || isAborted(error)) {\n    return skipped('lease_lost');",
    test: {
      file: 'test/trust/erase.test.ts',
      name: 'an attempt that an erasure aborts gives its lease back and does not count as lost',
    },
  },
  {
    name: 'an archive holds all that its files miss',
    findings: ['code 10'],
    file: 'libs/service/src/compaction/archive-context.ts',
    find: 'if (from > next)',
    replace: 'if (from > next + 1e9)',
    test: {
      file: 'libs/service/src/compaction/archive-context.test.ts',
      name: 'an archive is written where its files have gaps',
    },
  },
  {
    name: 'an erasure removes only the archived files that hold the message',
    findings: ['code 10'],
    file: 'libs/service/src/compaction/archive-context.ts',
    find: '(range.from <= toSeq && fromSeq <= range.to)',
    replace: 'range.from > 0',
    test: {
      file: 'test/trust/erase.test.ts',
      name: 'only the archived files that hold the message go, and a rebuild archives what is missing',
    },
  },
  {
    name: 'an erased output keeps no hash',
    findings: ['security L2'],
    file: 'libs/store/src/sql/outputs/erased-output.ts',
    find: "sha256 = '',",
    replace: '',
    test: {
      file: 'test/trust/erase.test.ts',
      name: 'A91 it is in no summary, output, archive, row or log afterwards, and the thread is summarized anew',
    },
  },
  {
    name: 'an erased thread leaves the audit log',
    findings: ['security L2'],
    file: 'prisma/migrations/20270117000000_redact_decisions/migration.sql',
    find: 'SET target = pseudonym, detail = NULL',
    replace: 'SET target = target',
    test: {
      file: 'test/trust/erase.test.ts',
      name: 'an erased thread leaves neither its id nor a prompt in the audit log',
    },
  },
  {
    name: 'a quote in a summary is what its message says',
    findings: ['security M5'],
    file: 'libs/engine/src/facts/quotes.ts',
    find: 'message?.role === role &&',
    replace: 'message?.role !== role + 1 &&',
    test: {
      file: 'libs/engine/src/facts/quotes.test.ts',
      name: 'quotes that their message does not bear out are dropped, and so are outputs that are not there',
    },
  },
  {
    name: 'an output that a summary names is one of the thread',
    findings: ['security M5'],
    file: 'libs/engine/src/facts/quotes.ts',
    find: 'outputIds.has(id) ? line',
    replace: 'id ? line',
    test: {
      file: 'libs/engine/src/facts/quotes.test.ts',
      name: 'quotes that their message does not bear out are dropped, and so are outputs that are not there',
    },
  },
  {
    name: 'a locked key keeps its value',
    findings: ['security M6'],
    file: 'libs/engine/src/policy/merge-policies.ts',
    find: 'if (locked.has(`${group}.${key}`))',
    replace: 'if (locked.has(key))',
    test: {
      file: 'libs/engine/src/policy/merge-policies.test.ts',
      name: 'a locked key keeps the value and the source of the level that locks it, whatever later levels say',
    },
  },
  {
    name: 'a key that only writes cannot raise what a thread costs',
    findings: ['security M6'],
    file: 'apps/api/src/threads/threads.controller.ts',
    find: 'if (!mayManage(scopes))',
    replace: 'if (!mayManage(scopes) && !scopes)',
    test: {
      file: 'test/policies/policies.test.ts',
      name: 'a key that only writes messages cannot raise what a thread costs or how long its outputs stay',
    },
  },
];
