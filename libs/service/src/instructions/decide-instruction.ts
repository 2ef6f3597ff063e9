import { randomUUID } from 'node:crypto';
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
    const same = all.filter((one) => one.source === 'added' && one.text === text);
    const added = same.find(({ state }) => state === 'active') ?? {
      id: `added-${randomUUID()}`,
      seq: thread.nextSeq - 1,
      participant: null,
      text,
      kind: kindOfSentence(text) ?? 'procedure',
      source: 'added' as const,
      decision: null,
    };
    const held = same.filter(({ decision }) => decision?.state === 'active').map(({ id }) => id);
    return { instruction: added, held };
  });
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
    return { instruction: found };
  });
}

interface Found {
  instruction: Instruction;
  /** Of one to add: those of the same text that were added before and not dismissed. */
  held?: string[];
}

async function decide(
  rt: Runtime,
  { projectId, threadId }: InThread,
  decision: 'active' | 'dismissed',
  find: (thread: ThreadRow) => Promise<Found>,
): Promise<ListedInstruction> {
  return untilUnchanged(async () => {
    const thread = await getThread(rt, projectId, threadId);
    const { instruction, held } = await find(thread);
    const { id, seq, participant, text, kind, source } = instruction;
    const of = { projectId, threadUid: thread.uid, contentVersion: thread.contentVersion };
    // Under the lock of the thread, so that two at once are counted in turn.
    const written = await rt.store.transaction(async (query) => {
      await lockThread(query, projectId, threadId);
      const decided = await countDecided(query, { ...of, id, text });
      // Another request added or dismissed the same: it is looked for again.
      if (held && !isSameSet(decided.added, held)) return undefined;
      refuseTooMany(decided.others);
      return writeDecision(query, { ...of, id, seq, participant, text, kind, source, decision });
    });
    if (!written) return undefined;
    const { instructions } = await readInstructionsOf(rt, await getThread(rt, projectId, threadId));
    return instructions.find((one) => one.id === id);
  });
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

function refuseTooMany(decided: number): void {
  if (decided < maxDecided) return;
  throw new SpillwayError(
    'invalid_request',
    `People have decided on ${decided} instructions of this thread already; at most ${maxDecided} are kept.`,
  );
}
