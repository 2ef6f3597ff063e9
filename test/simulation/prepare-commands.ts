import { prepare, readPrepared, threadsToPrepare, voidPrepared, type ThreadRow } from '@spillway/store';
import type { Command, Scene } from './store-commands.js';

/** A summary made ahead, from what was claimed once. */
export function prepareCommand({ chance, settingsVersion }: Scene, row: ThreadRow): Command {
  const newChain = chance.happens(0.2);
  const fromSeq = newChain ? 1 : row.coveredThrough + 1;
  if (fromSeq > row.nextSeq - 1) return readPreparedCommand(row);
  const made = {
    ...{ projectId: row.projectId, threadUid: row.uid, epoch: row.leaseEpoch, request: row.request },
    ...{
      chain: row.chain,
      generation: row.generation,
      coveredThrough: row.coveredThrough,
      newChain,
      fromSeq,
    },
    state: chance.pick(['prepared' as const, 'prepared' as const, 'proposed' as const]),
    contentVersion: row.contentVersion + (chance.happens(0.05) ? 1 : 0),
    policyVersion: row.policyVersion + (chance.happens(0.05) ? 1 : 0),
    settingsVersion: settingsVersion - (chance.happens(0.05) ? 1 : 0),
    toSeq: fromSeq + chance.below(row.nextSeq - fromSeq),
    asOfSeq: row.nextSeq - 1,
    seenSeq: chance.pick([0, row.nextSeq - 1]),
    carried: chance.happens(0.3) ? [1] : [],
    clearedThrough: chance.below(3),
    fields: '{"task_overview":"t"}',
    text: `ahead ${chance.below(100)}`,
    ...{ summaryTokens: 10, maxTokens: 20, tokensBefore: row.liveTokens, tokensAfter: 20 + chance.below(99) },
    ...{
      method: 'llm' as const,
      model: chance.pick([null, 'm']),
      failure: chance.pick([null, 'refused']),
      shownInstructions: '{"shown":[]}',
      fidelity: '{"factsKept": 2}',
    },
    idleMs: chance.pick([null, 0, 3_600_000]),
  };
  return { name: 'prepare', run: (query) => prepare(query, made) };
}

/** Voids the one that was there when the thread was claimed, if any. */
export function voidCommand({ projectId, uid, preparedGeneration }: ThreadRow): Command {
  const of = { projectId, threadUid: uid, generation: preparedGeneration };
  return { name: 'void-prepared', run: (query) => voidPrepared(query, of) };
}

export const readPreparedCommand = ({ projectId, uid }: ThreadRow): Command => ({
  name: 'read-prepared',
  run: async (query) => {
    const found = await readPrepared(query, projectId, uid);
    return found && { ...found, createdAt: null };
  },
});

/** Threads of these projects that may be prepared; those of one instant have no order. */
export const toPrepareCommand = (projects: readonly string[]): Command => ({
  name: 'to-prepare',
  run: async (query) => {
    const found = await threadsToPrepare(query, 1_000);
    const own = found.filter(({ projectId }) => projects.includes(projectId));
    return own.length > 0 ? own.map(({ threadId, leaseEpoch }) => `${threadId} ${leaseEpoch}`).sort() : false;
  },
});
