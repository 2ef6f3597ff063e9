import {
  kindOfWords,
  type InstructionKind,
  type InstructionState,
  type InstructionWithState,
} from '@spillway/engine';
import { listGenerations, readThreadWithSummary, type GenerationRow, type ThreadRow } from '@spillway/store';
import { pageFrom, readCursor, type Page } from '../paging/cursor.js';
import type { Runtime } from '../runtime.js';
import { withSearchSlot } from '../search/search-slots.js';
import { getThread } from '../threads/get-thread.js';
import type { ShownInstructions } from './instruction-slot.js';
import { readThreadInstructions, type ThreadInstructions } from './thread-instructions.js';

export interface ListedInstruction extends Omit<InstructionWithState, 'kind'> {
  /** What it demands, or would demand if it is only possible. */
  kind: InstructionKind;
  /** When it was stored; null until a fold covers its message. */
  storedAt: Date | null;
  /** The generations that showed it or carried its message, newest first. */
  generations: number[];
  /** Where it stands in the context now. */
  standsIn: 'message' | 'summary' | null;
}

export interface InstructionsQuery {
  projectId: string;
  threadId: string;
  state?: InstructionState;
  limit?: number;
  cursor?: string;
}

/** Generations that are looked at, newest first. */
const maxGenerations = 200;

/**
 * The standing instructions of a thread, newest first, those of messages that no fold has covered yet among them. What
 * only may be one is listed where that state is asked for, because callers may know of the other three alone, and not at
 * all once a newer message ended it. Throws
 * `thread_not_found`, and `too_many_searches` when as many scans as may run are running.
 */
export async function listInstructions(
  rt: Runtime,
  { projectId, threadId, state, limit = 100, cursor }: InstructionsQuery,
): Promise<Page<ListedInstruction>> {
  const thread = await getThread(rt, projectId, threadId);
  const start = readCursor(cursor, 0);
  const { instructions } = await withSearchSlot(projectId, () => readInstructionsOf(rt, thread));
  const wanted = instructions
    .filter((one) => (state === undefined ? one.state !== 'possible' : one.state === state))
    .reverse();
  return pageFrom(wanted, start, limit);
}

/** All of them in the order of the thread, with the generations that showed each. */
export async function readInstructionsOf(
  rt: Runtime,
  thread: ThreadRow,
): Promise<ThreadInstructions & { instructions: ListedInstruction[] }> {
  const read = await readInstructionsNow(rt, thread);
  const of = { projectId: thread.projectId, threadUid: thread.uid };
  const generations = await listGenerations(rt.store, of, maxGenerations);
  const showing = generations.filter((one) => one.withdrawnAt === null).map(shownBy);
  const instructions = read.all.flatMap((one): ListedInstruction[] => {
    const { kind, state, retiredBySeq } = one;
    if (kind === 'ending' || (state === 'possible' && retiredBySeq !== null)) return [];
    const shown = showing.filter((generation) => generation.shows(one)).map(({ generation }) => generation);
    const isMessage = one.source === 'found' && one.seq > thread.coveredThrough;
    const isSummary = thread.generation > 0 && shown.includes(thread.generation);
    return [
      {
        ...one,
        kind: kind === 'possible' ? kindOfWords(one.text) : kind,
        storedAt: read.storedAt.get(one.id) ?? null,
        generations: shown,
        standsIn: isMessage ? 'message' : isSummary ? 'summary' : null,
      },
    ];
  });
  return { ...read, instructions };
}

/** The instructions of a thread as it is now. */
export async function readInstructionsNow(rt: Runtime, thread: ThreadRow): Promise<ThreadInstructions> {
  const active = await readThreadWithSummary(rt.store.query, thread.projectId, thread.id);
  const isRead = active?.sGeneration === thread.generation && active.sInstructions !== null;
  return readThreadInstructions(rt, thread, isRead ? thread.coveredThrough : 0);
}

function shownBy({ generation, instructions, carried }: GenerationRow) {
  const { shown } = instructions === null ? { shown: [] } : (JSON.parse(instructions) as ShownInstructions);
  const ids = new Set(shown);
  const seqs = new Set(carried);
  const shows = ({ id, seq, source }: InstructionWithState): boolean =>
    ids.has(id) || (source === 'found' && seqs.has(seq));
  return { generation, shows };
}
