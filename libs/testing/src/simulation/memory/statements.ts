import type { MemoryStatement } from './statement.js';
import { append, appendFirst, appendGroup } from './statements/append.js';
import {
  erase,
  holdMessages,
  measureCalibration,
  pinMessage,
  raiseRequestTokens,
  requestCompaction,
  restore,
  updateThread,
  weighAgain,
} from './statements/changes.js';
import { commit } from './statements/commit.js';
import { dueThreads, dueThreadsOfEachProject, threadsToPrepare } from './statements/due.js';
import { decideInstruction, readInstructions } from './statements/instructions.js';
import {
  approveProposal,
  rejectProposal,
  prepare,
  readPrepared,
  voidPrepared,
  wasDecided,
} from './statements/prepare.js';
import { finish } from './statements/finish.js';
import { fork } from './statements/fork.js';
import { claim, heartbeat } from './statements/lease.js';
import { rewind, rewindOfKey, rewoundAmong, seqBefore, summaryThrough } from './statements/rewind.js';
import {
  areStillServed,
  isStillServed,
  recordAllServed,
  deleteUnusedPrompt,
  lockRecordsOfThread,
  recordServed,
  servedAt,
  servedThrough,
  servedWithFingerprint,
} from './statements/served.js';
import { withdraw } from './statements/withdraw.js';
import * as reads from './statements/reads.js';

/** By the names under which libs/store prepares them. */
export const statements: Readonly<Record<string, MemoryStatement>> = {
  'approve-proposal': approveProposal,
  'reject-proposal': rejectProposal,
  'append-first': appendFirst,
  'append-plain': append,
  'append-named': append,
  'append-linked': append,
  'append-group-plain': appendGroup,
  'append-group-named': appendGroup,
  'are-still-served': areStillServed,
  claim,
  commit,
  'decide-instruction': decideInstruction,
  'due-threads': dueThreads,
  'due-threads-of-each-project': dueThreadsOfEachProject,
  erase,
  finish,
  fork,
  heartbeat,
  'hold-messages': holdMessages,
  'was-decided': wasDecided,
  'is-still-served': isStillServed,
  'known-messages': reads.knownMessages,
  'leading-at': reads.leadingAt,
  'lock-shared-outputs': reads.lockSharedOutputs,
  'lock-thread': reads.lockThread,
  'measure-calibration': measureCalibration,
  'pin-message': pinMessage,
  prepare,
  'raise-request-tokens': raiseRequestTokens,
  'read-bodies': reads.readBodies,
  'read-entries': reads.readEntries,
  'read-entries-with-bodies': reads.readEntriesWithBodies,
  'read-holds': reads.readHolds,
  'read-instructions': readInstructions,
  'read-prepared': readPrepared,
  'read-thread': reads.readThread,
  'read-thread-with-summary': reads.readThreadWithSummary,
  'read-threads-with-summary': reads.readThreadsWithSummary,
  'read-windows': reads.readWindows,
  'record-all-served': recordAllServed,
  'delete-unused-prompt': deleteUnusedPrompt,
  'lock-records-of-thread': lockRecordsOfThread,
  'record-served': recordServed,
  'request-compaction': requestCompaction,
  restore,
  rewind,
  'rewind-of-key': rewindOfKey,
  'rewound-among': rewoundAmong,
  'seq-before': seqBefore,
  'served-at': servedAt,
  'served-through': servedThrough,
  'served-with-fingerprint': servedWithFingerprint,
  'shown-summary': reads.shownSummary,
  'summary-at': reads.summaryAt,
  'summary-through': summaryThrough,
  'threads-to-prepare': threadsToPrepare,
  'update-thread': updateThread,
  'void-prepared': voidPrepared,
  'weigh-again': weighAgain,
  withdraw,
};
