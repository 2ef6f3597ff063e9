import type { Guard } from '../guard.js';

const tokens = 'test/trust/thread-tokens.test.ts';
const ownThread = 'apps/api/src/auth/own-thread.ts';
const issuing = 'libs/service/src/access/thread-tokens.ts';
const lookUp = 'libs/store/src/access/thread-tokens.ts';
const a116 = 'A116 a session does so only in the minutes after its key was shown';
const ownAlone = 'reads and writes its own thread, its outputs and its events, and no others';

/** What a thread token may do, and when it ends. */
export const guardsOfThreadTokens: Guard[] = [
  {
    name: 'a thread token reaches its own thread alone',
    file: ownThread,
    find: 'if (id !== token.threadId)',
    replace: "if (id === '')",
    test: { file: tokens, name: ownAlone },
  },
  {
    name: 'a thread token reads the outputs of its thread alone',
    file: ownThread,
    find: 'if (!isOwn)',
    replace: 'if (false)',
    test: { file: tokens, name: ownAlone },
  },
  {
    name: 'a thread token reads the events of its thread alone',
    file: ownThread,
    find: '.thread === token.threadId)',
    replace: '.thread !== token.id)',
    test: { file: tokens, name: ownAlone },
  },
  {
    name: 'a thread token sees no tokens',
    file: ownThread,
    find: ' && !beyondThread.test(path)',
    replace: " && !beyondThread.test('')",
    test: { file: tokens, name: 'issues no tokens, lists none and revokes none' },
  },
  {
    name: 'a session shows its key again before it issues thread tokens',
    file: issuing,
    find: "await refuseUnproven(rt, caller, 'token');",
    replace: 'void refuseUnproven;',
    test: { file: tokens, name: a116 },
  },
  {
    name: 'a key passes on scopes that it has',
    file: issuing,
    find: 'if (missing !== undefined)',
    replace: "if (missing === '')",
    test: { file: tokens, name: 'with scopes of its own, never admin and never one that it lacks' },
  },
  {
    name: 'a thread token ends at its time',
    file: lookUp,
    find: 'WHERE t.hash = $1 AND t.revoked_at IS NULL AND t.expires_at > now()',
    replace: 'WHERE t.hash = $1 AND t.revoked_at IS NULL',
    test: { file: tokens, name: 'at its time, together with its streams' },
  },
  {
    name: 'a thread token ends when it is revoked',
    file: lookUp,
    find: 'WHERE t.hash = $1 AND t.revoked_at IS NULL',
    replace: 'WHERE t.hash = $1',
    test: { file: tokens, name: 'when it is revoked, together with its streams' },
  },
  {
    name: 'a thread token ends with its key',
    file: lookUp,
    find: 'AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND th.deleted_at',
    replace: 'AND th.deleted_at',
    test: { file: tokens, name: 'with its key, together with its streams' },
  },
  {
    name: 'a thread token ends with its thread',
    file: lookUp,
    find: ' AND th.deleted_at IS NULL`',
    replace: '`',
    test: { file: tokens, name: 'with its thread, together with its streams' },
  },
];
