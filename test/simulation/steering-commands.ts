import {
  approveProposal,
  fork,
  holdMessages,
  rejectProposal,
  restore,
  rewind,
  seqBefore,
  summaryThrough,
  wasDecided,
  type ThreadRow,
} from '@spillway/store';
import type { Command, Scene } from './store-commands.js';

/** Makes an older generation active, or undoes the active one. */
export function restoreCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const stale = chance.happens(0.3) ? 1 : 0;
  const undo = chance.happens(0.4);
  const to = {
    projectId,
    threadId,
    generation: undo && chance.happens(0.3) ? 0 : 1 + chance.below(Math.max(1, seen.lastGeneration)),
    undo,
    liveTokens: 50 + chance.below(400),
    contentVersion: seen.contentVersion,
    nextSeq: seen.nextSeq - stale,
    activeGeneration: seen.generation,
    policyVersion: seen.policyVersion - (chance.happens(0.1) ? 1 : 0),
  };
  return { name: 'restore', run: (query) => restore(query, to) };
}

/** Keeps or releases messages. */
export function holdCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const holds = Array.from({ length: 1 + chance.below(2) }, (_, i) => ({
    ...{ seq: 1 + i + 2 * chance.below(seen.nextSeq), hold: chance.pick(['keep', 'whole', 'release']) },
    tokens: chance.below(50),
  }));
  const held = { projectId, threadId, holds };
  return { name: 'hold', run: (query) => holdMessages(query, held) };
}

/** Approves or rejects a proposed summary, at times one that is no longer there, or asks how one was decided. */
export function proposalCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const of = { projectId, threadId, generation: seen.preparedGeneration - (chance.happens(0.1) ? 1 : 0) };
  if (chance.happens(0.2)) {
    const generation = seen.preparedGeneration || seen.generation + 1;
    const decision = chance.pick(['approved', 'rejected'] as const);
    return { name: 'was-decided', run: (query) => wasDecided(query, { ...of, generation }, decision) };
  }
  return chance.happens(0.5)
    ? { name: 'approve-proposal', run: (query) => approveProposal(query, of) }
    : { name: 'reject-proposal', run: (query) => rejectProposal(query, of) };
}

/** Takes messages out of the context, at times under a summary that covers some of them. */
export function rewindCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const toSeq = Math.max(0, seen.headSeq - chance.below(6));
  const isCovered = seen.coveredThrough > toSeq;
  const to = {
    projectId,
    threadId,
    toSeq,
    generation: isCovered
      ? chance.pick([0, Math.max(0, seen.generation - 1), seen.generation])
      : seen.generation,
    liveTokens: 20 + chance.below(400),
    contentVersion: seen.contentVersion - (chance.happens(0.1) ? 1 : 0),
    nextSeq: seen.nextSeq - (chance.happens(0.1) ? 1 : 0),
    activeGeneration: seen.generation - (chance.happens(0.1) ? 1 : 0),
    policyVersion: seen.policyVersion - (chance.happens(0.1) ? 1 : 0),
    key: null,
  };
  return { name: 'rewind', run: (query) => rewind(query, to) };
}

/** Makes a thread of another one, at times under an id that is taken. */
export function forkCommand({ chance, projectId, threadId, newUid }: Scene, seen: ThreadRow): Command {
  const atSeq = Math.max(0, seen.headSeq + 1 - chance.below(6));
  const fits = seen.coveredThrough <= atSeq;
  const generation = fits && chance.happens(0.8) ? seen.generation : chance.below(seen.lastGeneration + 1);
  const asked = {
    projectId,
    threadId,
    threadUid: chance.happens(0.05) ? newUid() : seen.uid,
    newId: chance.pick(['b', 'c', 'c']),
    newUid: newUid(),
    atSeq,
    generation,
    madeFrom: chance.happens(0.4) ? chance.below(generation) : 0,
    liveTokens: 20 + chance.below(400),
    contentVersion: seen.contentVersion - (chance.happens(0.1) ? 1 : 0),
    policyVersion: seen.policyVersion - (chance.happens(0.1) ? 1 : 0),
  };
  return { name: 'fork', run: (query) => fork(query, asked) };
}

/** What a rewind reads before it. */
export const rewindReads = ({ projectId, uid }: ThreadRow, seq: number): Command[] => [
  { name: 'summary-through', run: (query) => summaryThrough(query, projectId, uid, seq) },
  { name: 'seq-before', run: (query) => seqBefore(query, projectId, uid, seq) },
];
