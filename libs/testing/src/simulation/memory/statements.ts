import type { MemoryStatement } from './statement.js';
import { append } from './statements/append.js';
import { erase, requestCompaction, restore } from './statements/changes.js';
import { commit } from './statements/commit.js';
import { dueThreads, dueThreadsOfEachProject } from './statements/due.js';
import { finish } from './statements/finish.js';
import { claim, heartbeat } from './statements/lease.js';
import { withdraw } from './statements/withdraw.js';
import * as reads from './statements/reads.js';

/** By the names under which libs/store prepares them. */
export const statements: Readonly<Record<string, MemoryStatement>> = {
  append,
  claim,
  commit,
  'due-threads': dueThreads,
  'due-threads-of-each-project': dueThreadsOfEachProject,
  erase,
  finish,
  heartbeat,
  'known-messages': reads.knownMessages,
  'lock-thread': reads.lockThread,
  'mark-read': reads.markRead,
  'read-bodies': reads.readBodies,
  'read-entries': reads.readEntries,
  'read-entries-with-bodies': reads.readEntriesWithBodies,
  'read-thread': reads.readThread,
  'read-thread-with-summary': reads.readThreadWithSummary,
  'request-compaction': requestCompaction,
  restore,
  'summary-at': reads.summaryAt,
  withdraw,
};
