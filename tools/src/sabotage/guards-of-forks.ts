import type { Guard } from './guard.js';

const forks = 'test/threads/fork.test.ts';
const shared = 'test/outputs/outputs-of-forks.test.ts';
const ofParent = {
  file: shared,
  name: 'of the parent: the fork keeps its output, through sweeps, until it is erased too',
};

/** What a fork has, and what an erasure leaves to it. */
export const guardsOfForks: Guard[] = [
  {
    name: 'a fork has no message that its parent rewound',
    file: 'libs/store/src/sql/threads/fork.ts',
    find: 'AND m.rewound_before = 0\n), summary_copied AS (',
    replace: '\n), summary_copied AS (',
    test: {
      file: forks,
      name: 'rewound messages are not in a fork, and a seq that was rewound or is not there is refused',
    },
  },
  {
    name: 'messages of a fork keep the times at which they were sent',
    file: 'libs/store/src/sql/threads/fork.ts',
    find: 'output_id, created_at, sent_at, hold',
    replace: 'output_id, created_at, hold',
    test: { file: 'test/messages/sent-at.test.ts', name: 'a fork has the times of its parent' },
  },
  {
    name: 'an id that is taken by another thread is no fork of this one',
    file: 'libs/service/src/threads/fork-thread.ts',
    find: 'known.forkedFrom === threadId && (',
    replace: '(',
    test: {
      file: forks,
      name: 'the same fork again is the same thread; an id that is taken by another one is refused',
    },
  },
  {
    name: 'an instruction that a fork copies is not audited as a new one',
    file: 'prisma/migrations/20261229000000_forks/migration.sql',
    find: "WHEN (NEW.source = 'added' AND NOT spillway_is_copied(NEW.created_at))",
    replace: "WHEN (NEW.source = 'added')",
    test: {
      file: forks,
      name: 'instructions, decisions about them, and what is kept follow; nobody is said to have decided again',
    },
  },
  {
    name: 'an output that a fork shares outlives the thread that stored it',
    file: 'libs/store/src/sql/threads/erase.ts',
    find: ' AND o.id NOT IN (SELECT id FROM handed_over)',
    replace: '',
    test: ofParent,
  },
  {
    name: 'the sweep keeps what others own in the folder of an erased thread',
    file: 'libs/service/src/sweep/sweep-outputs.ts',
    find: 'if (kept.size === 0)',
    replace: 'if (kept.size >= 0)',
    test: ofParent,
  },
  {
    name: 'an output that a fork shares outlives its message in the thread that stored it',
    file: 'libs/store/src/sql/compaction/withdraw.ts',
    find: '\n    AND o.id NOT IN (SELECT id FROM handed_over)',
    replace: '',
    test: {
      file: shared,
      name: 'of one message: in the thread that owns the output, and in the one that shares it',
    },
  },
  {
    name: 'threads that share outputs are erased one after the other',
    file: 'libs/store/src/sql/outputs/hand-over.ts',
    find: 'ORDER BY o.id FOR UPDATE',
    replace: 'ORDER BY o.id',
    test: { file: shared, name: 'of all at once: nothing is left, whoever was first' },
  },
  {
    name: 'a fork holds only the media of its own messages',
    file: 'libs/store/src/sql/threads/fork.ts',
    find: 'AND m.seq <= $6::int AND m.rewound_before = 0\n), served AS (',
    replace: '\n), served AS (',
    test: {
      file: shared,
      name: 'media are shared as well: each thread holds them, and the last one takes them along',
    },
  },
  {
    name: 'a thread token does not reach a thread of its own making',
    file: 'apps/api/src/auth/own-thread.ts',
    find: '(tokens|fork)',
    replace: '(tokens)',
    test: {
      file: 'test/trust/thread-tokens.test.ts',
      name: 'makes no fork, and reads in a fork the outputs that it shares',
    },
  },
  {
    name: 'a fork takes along what a caller wrote',
    file: 'libs/service/src/threads/fork-thread.ts',
    find: 'return callers?.generation ?? 0;',
    replace: 'return Math.min(callers?.generation ?? 0, 0);',
    test: {
      file: 'test/steering/own-summary-stays.test.ts',
      name: 'a caller’s summary stays in a fork of what was folded onto it, and is what an undo there shows',
    },
  },
];
