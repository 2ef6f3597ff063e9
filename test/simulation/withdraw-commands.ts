import { withdraw, type ThreadRow } from '@spillway/store';
import type { Command, Scene } from './store-commands.js';

/** Takes summaries out of service, and erases a message where that is the cause. */
export function withdrawCommand({ chance, projectId, threadId }: Scene, seen: ThreadRow): Command {
  const generation = 1 + chance.below(Math.max(1, seen.lastGeneration));
  const body = '{"role":"user","content":"erased"}';
  const tombstone = { seq: 1 + chance.below(seen.nextSeq), body, tokens: 5, hash: Buffer.from('erased') };
  const to = {
    projectId,
    threadId,
    what: chance.happens(0.5) ? { generation } : { erase: tombstone },
    contentVersion: seen.contentVersion - (chance.happens(0.1) ? 1 : 0),
    liveTokens: seen.liveTokens,
    activeGeneration: seen.generation,
    policyVersion: seen.policyVersion - (chance.happens(0.1) ? 1 : 0),
    liveTokensWithout: 50 + chance.below(400),
    liveTokensDelta: -chance.below(5),
  };
  return {
    name: 'withdraw',
    run: async (query) => {
      const done = await withdraw(query, to);
      return done && { ...done, generations: done.generations.toSorted((a, b) => a - b) };
    },
  };
}
