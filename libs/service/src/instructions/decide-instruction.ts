import { randomUUID } from 'node:crypto';
import { kindOfSentence, SpillwayError, type Instruction } from '@spillway/engine';
import { decideInstruction as writeDecision, type ThreadRow } from '@spillway/store';
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
 * Adds an instruction that no message says. It holds at once and is shown from the next generation on. Throws
 * `thread_not_found`, `thread_busy`, and `invalid_request` when the thread has too many.
 */
export function addInstruction(
  rt: Runtime,
  { text, ...of }: InThread & { text: string },
): Promise<ListedInstruction> {
  const id = `added-${randomUUID()}`;
  return decide(rt, of, id, 'active', (thread) =>
    Promise.resolve({
      id,
      seq: thread.nextSeq - 1,
      text,
      kind: kindOfSentence(text) ?? 'procedure',
      source: 'added',
      decision: null,
    }),
  );
}

/**
 * Dismisses an instruction, or approves one that was dismissed, retired or only found. Later generations follow; what is
 * shown now stays as it is. Throws `thread_not_found`, `instruction_not_found`, `thread_busy`.
 */
export function decideInstruction(
  rt: Runtime,
  { id, state, ...of }: InThread & { id: string; state: 'active' | 'dismissed' },
): Promise<ListedInstruction> {
  return decide(rt, of, id, state, async (thread) => {
    const { all } = await readInstructionsNow(rt, thread);
    const found = all.find((one) => one.id === id && one.kind !== 'ending');
    if (!found) throw new SpillwayError('instruction_not_found', 'The thread has no instruction of this id.');
    return found;
  });
}

async function decide(
  rt: Runtime,
  { projectId, threadId }: InThread,
  id: string,
  decision: 'active' | 'dismissed',
  find: (thread: ThreadRow) => Promise<Instruction>,
): Promise<ListedInstruction> {
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const { seq, text, kind, source } = await find(thread);
    await refuseTooMany(rt, thread, id);
    const of = { projectId, threadUid: thread.uid, contentVersion: thread.contentVersion };
    const written = await writeDecision(rt.store.query, { ...of, id, seq, text, kind, source, decision });
    if (!written) return undefined;
    const { instructions } = await readInstructionsOf(rt, await getThread(rt, projectId, threadId));
    return instructions.find((one) => one.id === id);
  });
}

async function refuseTooMany(rt: Runtime, thread: ThreadRow, id: string): Promise<void> {
  const { all } = await readInstructionsNow(rt, thread);
  const decided = all.filter((one) => one.decision !== null && one.id !== id);
  if (decided.length < maxDecided) return;
  throw new SpillwayError(
    'invalid_request',
    `People have decided on ${decided.length} instructions of this thread already; at most ${maxDecided} are kept.`,
  );
}
