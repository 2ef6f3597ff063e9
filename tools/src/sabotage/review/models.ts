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
    find: 'if (problem) throw',
    replace: 'if (problem && schema === null) throw',
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
    file: 'libs/llm/src/summarizers/extractive/identifiers.ts',
    find: 'ids.reduce((last, id) => Math.max(last, id.seq), 1)',
    replace: 'Math.max(1, ...ids.map((id) => id.seq))',
    test: {
      file: 'libs/llm/src/summarizers/extractive/identifiers.test.ts',
      name: '300,000 identifiers are chosen from without overflowing the stack',
    },
  },
  {
    name: 'chat needs a key that may read contexts',
    findings: ['security H4'],
    file: 'libs/contracts/src/routes/threads.ts',
    find: "alsoScope: 'context:read',",
    replace: '',
    test: {
      file: 'test/chat.test.ts',
      name: 'a key that may not read contexts cannot have the model repeat one',
    },
  },
  {
    name: 'a caller of chat chooses among allowed models',
    findings: ['security H4'],
    file: 'libs/service/src/chat-model.ts',
    find: 'if (isAllowed)',
    replace: 'if (isAllowed || model)',
    test: {
      file: 'libs/service/src/chat-model.test.ts',
      name: 'without a list the thread and the server choose the model, and a caller does not',
    },
  },
  {
    name: 'calls to a model follow no redirect',
    findings: ['security H4'],
    file: 'libs/llm/src/summarizers/bounded-fetch.ts',
    find: "redirect: 'error'",
    replace: "redirect: 'follow'",
    test: {
      file: 'test/chat.test.ts',
      name: 'the call to the model follows no redirect, and ends when the client hangs up',
    },
  },
  {
    name: 'a turn of chat is counted',
    findings: ['security H4'],
    file: 'libs/service/src/chat.ts',
    find: 'await countChat(rt, projectId, model, answer.usage);',
    replace: '',
    test: {
      file: 'test/chat.test.ts',
      name: 'a caller chooses no model but those allowed, and what a turn took is in the usage',
    },
  },
];
