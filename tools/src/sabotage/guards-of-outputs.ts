import type { Guard } from './guard.js';

const sweep = 'test/outputs/sweep-statements.test.ts';

/** What keeps the bytes of outputs. */
export const guardsOfOutputs: Guard[] = [
  {
    name: 'pinned outputs are never swept',
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ' AND NOT pinned',
    replace: '',
    everywhere: true,
    test: { file: sweep, name: 'pinned outputs stay, expired or over the budget' },
  },
  {
    name: 'an upload is taken by one message, also by two that come at once',
    file: 'libs/store/src/sql/messages/append.ts',
    find: "ELSE spillway_refuse('output ' || outputs.id || ' belongs to another message') END",
    replace: "ELSE 'ready' END",
    test: {
      file: 'test/uploads/uploads.test.ts',
      name: 'can be taken by one message of a call, and by one of two calls',
    },
  },
  {
    name: 'outputs are swept when they have expired, and not before',
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ' AND expires_at < now()',
    replace: '',
    test: { file: sweep, name: 'outputs expire at their time and not before' },
  },
  {
    name: 'bytes go once the grace is over, and not before',
    file: 'libs/store/src/sql/outputs/sweep.ts',
    find: ' AND delete_after <= now()',
    replace: '',
    test: { file: sweep, name: 'bytes may go once their grace is over, and not before' },
  },
  {
    name: 'bytes are hashed before they are served',
    file: 'libs/blobs/src/verified.ts',
    find: 'if (!hashOf(chunk).equals(expected))',
    replace: 'if (chunk.length < 0)',
    test: {
      file: 'test/blob-stores/verified.test.ts',
      name: 'a byte that changed is not served by any range that touches its chunk, and others are',
    },
  },
];
