import type { Guard } from '../guard.js';

const property = {
  file: 'test/properties/served-contexts.test.ts',
  name: 'with usage after every step contexts fit the window by the provider’s count, grow only at their end between compactions, and at=N is what was served for every N',
};

/** What keeps budgets within the window, and the past as it was served. */
export const guardsOfBudget: Guard[] = [
  {
    name: 'usage is compared with the context that was served',
    findings: ['code 1', 'integration 2'],
    file: 'libs/service/src/context/calibrate-thread.ts',
    find: 'measureRatio(thread.measuredRatio, inputTokens, served.tokens)',
    replace: 'measureRatio(thread.measuredRatio, inputTokens, thread.liveTokens)',
    test: property,
  },
  {
    name: 'no ratio makes the limit larger than by our own count',
    findings: ['integration 3'],
    file: 'libs/engine/src/compaction/budget.ts',
    find: 'Math.floor(budget.limit / Math.max(1, ratio))',
    replace: 'Math.floor(budget.limit / ratio)',
    test: {
      file: 'libs/engine/src/compaction/budget.test.ts',
      name: 'never passes the window, whatever was measured',
    },
  },
  {
    name: 'Anthropic’s cached tokens are counted',
    findings: ['integration 3'],
    file: 'libs/service/src/context/provider-usage.ts',
    find: 'return uncached + read + written;',
    replace: 'return uncached;',
    test: {
      file: 'libs/service/src/context/provider-usage.test.ts',
      name: 'the usage of every provider counts the whole request, cached tokens included',
    },
  },
  {
    name: 'at=N is made from the frame that was served',
    findings: ['integration 4'],
    file: 'libs/service/src/context/read-context.ts',
    find: 'return served ? readServed(rt, row, query, served) : readPast(rt, row, query, at);',
    replace: 'return readPast(rt, row, query, at);',
    test: property,
  },
  {
    name: 'what is measured holds at once for a context that would pass the window',
    findings: ['integration 3'],
    file: 'libs/service/src/context/build-context.ts',
    find: 'assembled.context.tokens.total <= limit',
    replace: 'limit > 0',
    test: property,
  },
  {
    name: 'live tokens are weighed again when the settings changed',
    findings: ['code 11'],
    file: 'libs/service/src/threads/weigh-thread.ts',
    find: 'row.weighedVersion === row.settingsVersion',
    replace: 'row.weighedVersion <= row.settingsVersion',
    test: {
      file: 'test/context/served-contexts.test.ts',
      name: 'a change of the window weighs a thread again: one that could not shrink is at rest, one with a huge message is due',
    },
  },
  {
    name: 'budget_too_small names a budget that was tried',
    findings: ['code 17'],
    file: 'libs/service/src/context/build-context.ts',
    find: 'throw tooSmall(enough, source);',
    replace: 'throw tooSmall(made.minimum, source);',
    test: {
      file: 'test/properties/served-contexts.test.ts',
      name: 'budget_too_small names the smallest budget, also where long messages are shortened to fit',
    },
  },
  {
    name: 'a past context stands for its own seq',
    findings: ['code 20'],
    file: 'libs/service/src/context/build-context.ts',
    find: 'lastSeq: through,',
    replace: 'lastSeq: row.nextSeq - 1,',
    test: property,
  },
];
