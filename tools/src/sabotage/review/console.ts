import type { Guard } from '../guard.js';

const sources = 'libs/engine/src/facts/source-index.test.ts';

/** What keeps the console's findings from coming back. */
export const guardsOfConsole: Guard[] = [
  {
    name: 'a value of a summary that no message holds is named',
    findings: ['console 1'],
    file: 'libs/engine/src/facts/source-index.ts',
    find: 'claims.filter((claim) => this.isMissing(claim))',
    replace: 'claims.filter(() => false)',
    test: {
      file: sources,
      name: 'a value that no message holds is named, whether or not the rest has a source',
    },
  },
  {
    name: 'a vague statement is no warning',
    findings: ['console 1'],
    file: 'libs/engine/src/facts/source-index.ts',
    find: "missing.length > 0 ? 'none' : 'unclear'",
    replace: "'none'",
    test: { file: sources, name: 'a statement with nothing to check is neither sourced nor doubted' },
  },
  {
    name: 'a report of the user is no constraint',
    findings: ['console 1'],
    file: 'libs/engine/src/instructions/ruled-out.ts',
    find: 'hearsay.test(words)',
    replace: 'false',
    test: {
      file: 'libs/engine/src/instructions/classify.test.ts',
      name: 'what others demand, and what happened, is a report',
    },
  },
  {
    name: 'a thread that can serve no context is listed as such',
    findings: ['console 2'],
    file: 'libs/service/src/context/fixed-content.ts',
    find: 'servesContext: minimum === null',
    replace: 'servesContext: true',
    test: {
      file: 'test/operations/attention.test.ts',
      name: 'a thread that can serve no context, with the numbers, and a window that repairs it',
    },
  },
  {
    name: 'the window that is suggested is large enough',
    findings: ['console 2'],
    file: 'libs/service/src/context/fixed-content.ts',
    find: 'let low = budget.contextWindow;',
    replace: 'return budget.contextWindow; let low = budget.contextWindow;',
    test: {
      file: 'libs/service/src/context/fixed-content.test.ts',
      name: 'the smallest window is the first whose trigger is above the fixed content',
    },
  },
  {
    name: 'a thread is shown with the budget of its context',
    findings: ['console 3'],
    file: 'libs/service/src/context/current-budget.ts',
    find: 'return { ...row, contextWindow, limitTokens, triggerTokens };',
    replace: 'return row;',
    test: {
      file: 'test/policies/policy-sources.test.ts',
      name: 'after the policy of a project is saved, a thread and its context name the same trigger',
    },
  },
  {
    name: 'tokens saved are those that the money panel counts',
    findings: ['console 3'],
    file: 'libs/service/src/usage/usage-numbers.ts',
    find: 'const tokensSaved = counted?.tokensNotSent ?? 0;',
    replace: 'const tokensSaved = 2 * (counted?.tokensNotSent ?? 0);',
    test: {
      file: 'test/operations/usage.test.ts',
      name: 'money saved is what was not sent at the price of the thread’s model, less what summaries cost',
    },
  },
  {
    name: 'a model fails from its first failure on',
    findings: ['console 5'],
    file: 'libs/service/src/operations/model-health.ts',
    find: 'if (failures > 0 && (waiting > 0 || isNews))',
    replace: 'if (failures > 10 && (waiting > 0 || isNews))',
    test: {
      file: 'libs/service/src/operations/model-health.test.ts',
      name: 'a model fails from its first failure on, as long as a thread waits or the failure is recent',
    },
  },
  {
    name: 'the net has the same threads on both sides',
    findings: ['console 7'],
    file: 'libs/service/src/usage/saved-money.ts',
    find: 'sumOfAll(priced.map((model) => model.spentUsd))',
    replace: 'sumOfAll(models.map((model) => model.spentUsd))',
    test: {
      file: 'libs/service/src/usage/saved-money.test.ts',
      name: 'the net has the same threads on both sides',
    },
  },
  {
    name: 'a sum without an unpriced summary is not given',
    findings: ['console 7'],
    file: 'libs/service/src/usage/saved-money.ts',
    find: 'amounts.includes(null) ? null :',
    replace: '',
    test: {
      file: 'libs/service/src/usage/saved-money.test.ts',
      name: 'when the cost of one summary is not known, neither is the net, and its model is named',
    },
  },
  {
    name: 'a key without a scope is told which one',
    findings: ['console 9'],
    file: 'apps/console/ui/access/missing-scope.ts',
    find: "has.includes(scope) || has.includes('admin') ? null : scope",
    replace: 'has.length > 0 ? null : scope',
    test: {
      file: 'apps/console/ui/access/missing-scope.test.ts',
      name: 'a scope is missing only when it is known that the key lacks it',
    },
  },
  {
    name: 'a thread that is parked again after a retry says so',
    findings: ['console 2'],
    file: 'apps/console/app/threads/list/retry-outcome.ts',
    find: "if (state === 'parked') {",
    replace: "if (state === 'never') {",
    test: {
      file: 'apps/console/app/threads/list/retry-outcome.test.ts',
      name: 'a thread that is parked again says so, with its numbers',
    },
  },
  {
    name: 'a compaction that saves nothing is not offered',
    findings: ['console 2'],
    file: 'apps/console/app/threads/[id]/compact/nothing-saved.ts',
    find: 'before - cut.tokens_after >= before * minShare',
    replace: 'before > 0',
    test: {
      file: 'apps/console/app/threads/[id]/compact/nothing-saved.test.ts',
      name: 'a compaction that saves almost nothing says so with its numbers',
    },
  },
  {
    name: 'equal errors are shown as one',
    findings: ['console 5'],
    file: 'apps/console/app/attempts/group-errors.ts',
    find: 'known.count++;',
    replace: '',
    test: {
      file: 'apps/console/app/attempts/group-errors.test.ts',
      name: 'equal errors are one, with their count and the time of the last',
    },
  },
  {
    name: 'g on a thread begins the keys that go to a page',
    findings: ['console 10'],
    file: 'apps/console/app/threads/[id]/messages/timeline/timeline-keys.ts',
    find: "case 'G':",
    replace: "case 'g':\n    case 'G':",
    test: {
      file: 'apps/console/app/threads/[id]/messages/timeline/timeline-keys.test.ts',
      name: 'every key of the timeline is in the sheet, and g is left to the keys that go to a page',
    },
  },
  {
    name: 'the palette finds the webhooks',
    findings: ['console 10'],
    file: 'apps/console/ui/frame/pages.ts',
    find: "{ href: '/settings/webhooks', label: 'Webhooks', words: 'settings events deliveries' },",
    replace: '',
    test: { file: 'apps/console/ui/frame/pages.test.ts', name: 'the palette finds every page' },
  },
];
