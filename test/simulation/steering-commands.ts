import { approveProposal, holdMessages, rejectProposal, restore, type ThreadRow } from '@spillway/store';
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

/** Approves or rejects a proposed summary, at times one that is no longer there. */
export function proposalCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const of = { projectId, threadId, generation: seen.preparedGeneration - (chance.happens(0.1) ? 1 : 0) };
  return chance.happens(0.5)
    ? { name: 'approve-proposal', run: (query) => approveProposal(query, of) }
    : { name: 'reject-proposal', run: (query) => rejectProposal(query, of) };
}
