import type { Schemas, Spillway, Thread } from '@spillway/client';
import { fitsWithStubs } from '@spillway/client/agent';
import { CommandError, UsageError, type Environment } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { counted } from '../program/counted.js';
import { foundOrNull } from '../program/found-or-null.js';
import type { Printer } from '../program/printer.js';
import { progressBar } from '../program/progress-bar.js';
import { alignSession, type Recorded } from './align-session.js';
import type { ImportedSession, LeftOut } from './imported-session.js';
import {
  batchesOf,
  placedError,
  postedMessages,
  withoutTimesAhead,
  type Batch,
  type PostedMessage,
} from './post-batches.js';

export interface Posting {
  spillway: Spillway;
  threadId: string;
  file: string;
  session: ImportedSession;
  metadata: Record<string, string>;
  /** In place of the model of the session, and of the window of the model. */
  model: string | null;
  window: number | null;
  /** Messages that the file does not know may be taken out of the context. */
  mayRewind: boolean;
  /** Gets what is probably not intended of the thread's settings, in a sentence. */
  warn: (detail: string) => void;
  env: Environment;
  print: Printer;
}

export interface Posted {
  /** Messages that were recorded already. */
  known: number;
  recorded: number;
  rewound: number;
  last_seq: number;
}

/**
 * Brings a thread to the state of a session. Messages that are recorded stay, new ones are posted in order, and nothing
 * is posted when the thread has other messages in their place. Throws `CommandError` that names file and line.
 */
export async function postSession(posting: Posting): Promise<Posted> {
  const { spillway, threadId, session, mayRewind, file } = posting;
  refuseLarge(file, session);
  const thread = spillway.thread(threadId, { format: session.format });
  const existing = await foundOrNull(thread.get());
  const recorded = existing ? await recordedIn(thread) : [];
  const { known, rewindTo, gone, foreign } = alignSession(session, recorded);
  if (foreign > 0 && !mayRewind)
    throw new CommandError(
      'thread_differs',
      `The thread ${threadId} has ${counted(gone, 'message')} after message ${rewindTo}. The file does not have ${foreign} of them.`,
      'Nothing was posted. --thread imports into another thread; --rewind takes these messages out of the context.',
      exitCode.conflict,
    );
  const { warnings = [] } = await settle(thread, existing, posting);
  for (const { detail } of warnings) posting.warn(detail);
  let lastSeq = existing?.last_seq ?? 0;
  if (rewindTo !== null) lastSeq = (await thread.rewind(rewindTo, { ifLastSeq: lastSeq })).thread.last_seq;
  const fresh = session.messages.slice(known);
  lastSeq = await post(thread, batchesOf(fresh, session.format), lastSeq, {
    ...posting,
    total: fresh.length,
  });
  return { known, recorded: fresh.length, rewound: rewindTo === null ? 0 : gone, last_seq: lastSeq };
}

/** Throws `UsageError` for a message that no request can hold, even with stubs in place of its tool results. */
export function refuseLarge(file: string, { messages }: ImportedSession): void {
  const large = messages.find(({ message }) => !fitsWithStubs(message));
  if (large)
    throw new UsageError(
      `${file}:${large.line}: The message has more than 8 MiB beside its tool results, or its JSON more than 250,000 values, 10,000 keys in an object or 60 levels. No request may have such a message.`,
    );
}

async function recordedIn(thread: Thread): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for await (const { seq, id, rewound_before: gone } of thread.messages({
    view: 'context',
    media: 'marked',
    limit: 1_000,
  }))
    if (gone === null) recorded.push({ seq, id });
  return recorded;
}

/**
 * Gives the thread its settings before the first message, because folds follow from its window. A new thread gets what
 * the session says of itself; of an older one the metadata change, and what the caller named.
 */
async function settle(
  thread: Thread,
  existing: Schemas['Thread'] | null,
  { session, metadata, model, window }: Posting,
): Promise<Schemas['Thread']> {
  const policy = window === null ? {} : { policy: withWindow(existing?.policy, window) };
  if (!existing) {
    const { system } = session;
    const named = model ?? session.model;
    return thread.put({
      metadata,
      ...(named === null ? {} : { model: named }),
      ...(system === null ? {} : { system }),
      ...policy,
    });
  }
  const changes = { ...(model === null ? {} : { model }), ...policy };
  const merged = { ...existing.metadata, ...metadata };
  const isSame = JSON.stringify(merged) === JSON.stringify(existing.metadata);
  if (isSame && Object.keys(changes).length === 0) return existing;
  return thread.put({ metadata: merged, format: existing.format, ...changes });
}

type Policy = Schemas['Thread']['policy'];

const withWindow = (policy: Policy | undefined, window: number): Policy => ({
  ...policy,
  context: { ...policy?.context, context_window: window },
});

async function post(
  thread: Thread,
  batches: readonly Batch[],
  from: number,
  posting: Posting & { total: number },
): Promise<number> {
  let lastSeq = from;
  let done = 0;
  for (const batch of batches) {
    posting.print.progress(progressBar(done, posting.total, 'messages'));
    try {
      const messages = await postedMessages(thread, batch);
      const options = { ifLastSeq: lastSeq, idempotencyKey: batch.idempotencyKey };
      lastSeq = await append(thread, messages, options, posting.session.leftOut);
    } catch (error) {
      throw placedError(error, batch, {
        file: posting.file,
        messages: posting.session.messages,
        env: posting.env,
        next: `${done} of ${posting.total} new messages were recorded before it. Once this is repaired, the same call goes on there.`,
      });
    }
    done += batch.messages.length;
  }
  posting.print.progress('');
  return lastSeq;
}

/** Appends messages, without times that are ahead of the server's clock, and returns the newest seq. */
async function append(
  thread: Thread,
  messages: PostedMessage[],
  options: { ifLastSeq: number; idempotencyKey: string | undefined },
  leftOut: LeftOut,
): Promise<number> {
  try {
    return (await thread.append(messages, options)).thread.last_seq;
  } catch (error) {
    // A clock that is fast wrote these times, and they are not in the future by the same clock.
    const inTime = withoutTimesAhead(error, messages);
    if (inTime === null) throw error;
    leftOut.add('times in the future', inTime.leftOut);
    return await append(thread, inTime.messages, options, leftOut);
  }
}
