import type { Guard } from '../guard.js';

export const guardsOfLeftovers: Guard[] = [
  {
    name: 'a system prompt that replaces the one of the thread may be longer than an address',
    findings: ['integration 11'],
    file: 'libs/contracts/src/messages/context-options.ts',
    find: 'system: systemPrompt.optional()',
    replace: 'system: plainText(maxUrl).optional()',
    test: {
      file: 'test/context/context.test.ts',
      name: 'POST takes the options of a context as JSON: a system prompt that no address holds, and the same answer',
    },
  },
  {
    name: 'the note between a summary and a message of the user is counted',
    file: 'libs/engine/src/context/separators.ts',
    find: 'return before === undefined ||',
    replace: 'return before !== undefined &&',
    test: {
      file: 'libs/engine/src/compaction/simulate-policy.test.ts',
      name: 'is compacted when it reaches the trigger, and what stays is counted from there',
    },
  },
  {
    name: 'a connection changes its project without a round trip of its own',
    findings: ['code 12'],
    file: 'libs/store/src/connection/scoped-pool.ts',
    find: 'if (!this.prepared.has(client)) {',
    replace: 'if (client) {',
    test: {
      file: 'test/trust/row-level-security.test.ts',
      name: 'takes the new scope and runs the statement in one round trip',
    },
  },
  {
    name: 'a commit over a thread that was weighed since the claim has it weighed again',
    file: 'libs/store/src/sql/compaction/commit.ts',
    find: '(t.policy_version <> $27::int OR t.weighed_version <> $28::int)',
    replace: '($27::int < 0 OR $28::int < 0)',
    test: {
      file: 'test/threads/thread-statements.test.ts',
      name: 'a commit over a thread that was weighed since the claim has it weighed again',
    },
  },
];
