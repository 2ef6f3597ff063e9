import { createHash } from 'node:crypto';
import { kindOfSentence, SpillwayError, type Instruction } from '@spillway/engine';
import {
  countDecided,
  decideInstruction as writeDecision,
  lockThread,
  type ThreadRow,
} from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { getThread } from '../threads/get-thread.js';
import { readInstructionsNow, readInstructionsOf, type ListedInstruction } from './list-instructions.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

/** People decide on at most this many instructions of a thread. */
const maxDecided = 500;

interface InThread {
  projectId: string;
  threadId: string;
}

/**
 * Adds an instruction that no message says. It holds at once and is shown from the next generation on. Adding one that
 * was added already and holds changes nothing, so that a retry is safe. Throws `thread_not_found`, `thread_busy`, and
 * `invalid_request` when the thread has too many.
 */
export function addInstruction(
  rt: Runtime,
  { text, ...of }: InThread & { text: string },
): Promise<ListedInstruction> {
  return decide(rt, of, 'active', async (thread) => {
    const { all } = await readInstructionsNow(rt, thread);
    const added = all.find((one) => one.source === 'added' && one.text === text && one.state === 'active');
    return (
      added ?? {
        id: addedId(text, thread.nextSeq),
        seq: thread.nextSeq - 1,
        text,
        kind: kindOfSentence(text) ?? 'procedure',
        source: 'added',
        decision: null,
      }
    );
  });
}

/** The same for two requests that add the same text at once. */
function addedId(text: string, nextSeq: number): string {
  const hash = createHash('sha256').update(`${nextSeq} ${text}`).digest('hex');
  return `added-${hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/**
 * Dismisses an instruction, or approves one that was dismissed, retired or only found. Later generations follow; what is
 * shown now stays as it is. Throws `thread_not_found`, `instruction_not_found`, `thread_busy`.
 */
export function decideInstruction(
  rt: Runtime,
  { id, state, ...of }: InThread & { id: string; state: 'active' | 'dismissed' },
): Promise<ListedInstruction> {
  return decide(rt, of, state, async (thread) => {
    const { all } = await readInstructionsNow(rt, thread);
    const found = all.find((one) => one.id === id && one.kind !== 'ending');
    if (!found) throw new SpillwayError('instruction_not_found', 'The thread has no instruction of this id.');
    return found;
  });
}

async function decide(
  rt: Runtime,
  { projectId, threadId }: InThread,
  decision: 'active' | 'dismissed',
  find: (thread: ThreadRow) => Promise<Instruction>,
): Promise<ListedInstruction> {
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const { id, seq, text, kind, source } = await find(thread);
    const of = { projectId, threadUid: thread.uid, contentVersion: thread.contentVersion };
    // Under the lock of the thread, so that two at once are counted in turn.
    const written = await rt.store.transaction(async (query) => {
      await lockThread(query, projectId, threadId);
      refuseTooMany(await countDecided(query, of, id));
      return writeDecision(query, { ...of, id, seq, text, kind, source, decision });
    });
    if (!written) return undefined;
    const { instructions } = await readInstructionsOf(rt, await getThread(rt, projectId, threadId));
    return instructions.find((one) => one.id === id);
  });
}

function refuseTooMany(decided: number): void {
  if (decided < maxDecided) return;
  throw new SpillwayError(
    'invalid_request',
    `People have decided on ${decided} instructions of this thread already; at most ${maxDecided} are kept.`,
  );
}
