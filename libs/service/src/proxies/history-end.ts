import { createHash } from 'node:crypto';
import {
  formats,
  SpillwayError,
  withoutProgramText,
  type Body,
  type FormatName,
  type Message,
  type Part,
  type Role,
} from '@spillway/engine';
import { findHistoryEnd, recordHistoryEnd, takeHistoryEnd, type FoundEnd } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { forkThread } from '../threads/fork-thread.js';
import { newUid } from '../threads/new-uid.js';

/** A caller goes back by so many turns at most; a conversation that does so further has a new thread. */
const searchedEnds = 64;

/** What a caller sends of its conversation: all of it, without the system prompt. */
export interface Conversation {
  format: FormatName;
  messages: readonly Body[];
}

/**
 * Finds the thread of a conversation whose caller names none, by the conversation itself: the longest beginning of it
 * that ended an earlier call. Nothing is taken yet. `found` is undefined where nothing of it is known; `isAnswered`: the
 * conversation has an answer of the assistant.
 */
export async function findEnd(
  rt: Runtime,
  projectId: string,
  conversation: Conversation,
): Promise<{ found: FoundEnd | undefined; isAnswered: boolean }> {
  const ends = endsOf(conversation);
  // Many conversations begin with the same words. Before an answer only a call that failed is the same one.
  const candidates = ends.filter(({ isAnswered }, i) => isAnswered || i === ends.length - 1);
  const found = await findHistoryEnd(
    rt.store.query,
    projectId,
    candidates
      .slice(-searchedEnds)
      .map(({ digest }) => digest)
      .reverse(),
  );
  const isAnswered = ends.some((end) => end.isAnswered);
  // Callers that change their history have a new thread with each call: the log says of which project.
  if (!found && isAnswered)
    rt.log.info({ projectId, turns: ends.length }, 'a conversation that goes on was found in no thread');
  return { found: found && (found.isOpen || isAnswered) ? found : undefined, isAnswered };
}

type Outcome = 'continued' | 'forked' | 'new' | 'not_found';

/** Counts where a conversation went on, for the operator and for its project. */
export function countHistoryCall(
  rt: Runtime,
  call: { projectId: string; model: string; isAnswered: boolean; outcome: Outcome },
): void {
  const { projectId, model, isAnswered, outcome } = call;
  rt.metrics.add('spillway_history_calls_total', { outcome });
  if (isAnswered) rt.usage.foundByHistory(projectId, model, outcome !== 'not_found');
}

interface WentOn {
  threadId: string;
  outcome: Outcome;
}

/**
 * Returns the id of the thread in which the conversation goes on: the one of the end, for one call from each end; a fork
 * of it, where another call went on from there; or a new one.
 */
export async function goOnFrom(
  rt: Runtime,
  projectId: string,
  { found, isAnswered }: Awaited<ReturnType<typeof findEnd>>,
): Promise<WentOn> {
  const anew = (): WentOn => ({ threadId: newThreadId(), outcome: isAnswered ? 'not_found' : 'new' });
  if (!found) return anew();
  const { threadId, seq } = found;
  if (found.isOpen && (await takeHistoryEnd(rt.store.query, { ...found, projectId })))
    return { threadId, outcome: 'continued' };
  try {
    const { thread } = await forkThread(rt, { projectId, threadId, at: seq, newId: newThreadId() });
    return { threadId: thread.id, outcome: 'forked' };
  } catch (error) {
    // The request has the conversation: a new thread lacks nothing of it.
    if (!(error instanceof SpillwayError && isUnforkable.has(error.code))) throw error;
    return anew();
  }
}

const isUnforkable: ReadonlySet<string> = new Set([
  'thread_not_found',
  'thread_erased',
  'thread_too_large',
  'message_rewound',
]);

/** A client's id may look like this too: then the conversation is found again all the same, by its messages. */
const newThreadId = (): string => `history:${newUid()}`;

/** Records that the conversation ends at this message of its thread: the next call goes on from there. */
export async function recordEnd(
  rt: Runtime,
  { projectId, threadId, seq }: { projectId: string; threadId: string; seq: number },
  conversation: Conversation,
): Promise<void> {
  const digest = endsOf(conversation).at(-1)?.digest;
  if (digest !== undefined) await recordHistoryEnd(rt.store.query, { projectId, threadId, seq, digest });
}

interface End {
  digest: string;
  /** The assistant spoke before it. */
  isAnswered: boolean;
}

/** The ends of turns, each with the digest of all up to it. */
function endsOf({ format, messages }: Conversation): End[] {
  const hash = createHash('sha256');
  let isAnswered = false;
  return turnsOf(messages.map((body) => formats[format].read(body))).map((turn) => {
    isAnswered ||= turn.role === 'assistant';
    hash.update(`${JSON.stringify([turn.role, turn.ids.toSorted(), turn.text.replaceAll(/\s+/g, '')])}\n`);
    return { digest: hash.copy().digest('hex'), isAnswered };
  });
}

interface Turn {
  role: Role;
  /** Of the calls that it makes or answers. */
  ids: string[];
  text: string;
}

/**
 * What one role says in a row is one turn, and neither spaces nor the order of calls count: callers join and split such
 * messages. They leave out reasoning, shorten old results, and renew what they put into the user's words themselves, so
 * none of these counts.
 */
function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, parts } of messages) {
    const ids = parts.flatMap((part) => idOf(part) ?? []);
    const text = parts.map(wordsOf).join('');
    const last = turns.at(-1);
    if (ids.length === 0 && text.trim() === '') continue;
    if (last?.role === role) {
      for (const id of ids) last.ids.push(id);
      last.text += text;
    } else turns.push({ role, ids, text });
  }
  return turns;
}

function idOf(part: Part): string | undefined {
  if (part.type === 'call') return part.id;
  return part.type === 'result' ? part.callId : undefined;
}

function wordsOf(part: Part): string {
  if (part.type === 'text' || part.type === 'refusal') return withoutProgramText(part.text);
  return part.type === 'media' ? `[${part.kind}]` : '';
}
