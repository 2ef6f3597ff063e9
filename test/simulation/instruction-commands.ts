import type { Chance } from '@spillway/testing/simulation';
import { decideInstruction, type ThreadRow } from '@spillway/store';
import type { Command, Scene } from './store-commands.js';

/** An instruction that a message might say, or what may be one: few ids, so that they meet. */
export const instructionOf = (chance: Chance) => {
  const seq = 1 + chance.below(6);
  const kind = chance.happens(0.3) ? 'possible' : 'prohibition';
  const participant = chance.happens(0.3) ? chance.pick(['anna', 'ben']) : null;
  return { id: `${seq}-${chance.below(2)}`, seq, participant, text: `Never ${chance.below(9)}.`, kind };
};

/** A person decides about an instruction, at times of a thread that has changed. */
export function decideCommand({ chance, projectId }: Scene, seen: ThreadRow): Command {
  const decided = {
    ...{ projectId, threadUid: seen.uid, ...instructionOf(chance) },
    contentVersion: seen.contentVersion - (chance.happens(0.1) ? 1 : 0),
    source: chance.pick(['found', 'added'] as const),
    decision: chance.pick(['active', 'dismissed'] as const),
  };
  return { name: 'decide-instruction', run: (query) => decideInstruction(query, decided) };
}
