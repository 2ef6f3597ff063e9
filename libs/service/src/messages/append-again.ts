import { SpillwayError } from '@spillway/engine';
import {
  append,
  knownMessages,
  lockThread,
  readThread,
  type Append,
  type KnownMessage,
  type ThreadRow,
} from '@spillway/store';
import { recordedMessage, type Appended, type AppendedMessage, type ReadAppend } from './appended.js';
import { countRecorded } from '../usage/count-usage.js';
import { storedOf } from './entries.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { loadMedia, withReferences } from './media/load-media.js';
import type { IncomingMessage, PreparedMessage } from './prepare-messages.js';
import { refuseOtherLastSeq } from './refuse-other-last-seq.js';
import type { Runtime } from '../runtime.js';

const idsOf = (messages: readonly IncomingMessage[]): string[] =>
  messages.flatMap((message) => message.clientId ?? []);

/** Whether any of these messages was recorded before, or one comes twice. */
export async function hasKnownIds(
  rt: Runtime,
  thread: ThreadRow | undefined,
  messages: readonly IncomingMessage[],
): Promise<boolean> {
  const ids = idsOf(messages);
  if (new Set(ids).size < ids.length) return true;
  if (!thread || ids.length === 0) return false;
  return (await knownMessages(rt.store.query, thread.projectId, thread.uid, ids)).length > 0;
}

/**
 * Appends messages when some client ids are recorded already or come twice: the client did not see our answer. The
 * recorded ones keep their seq, the others are written, all under the lock of the thread. Other content under a
 * recorded id is `message_conflict`, and then nothing is written. Messages that are all recorded are a replay, whatever
 * the newest seq is by now.
 */
export async function appendAgain(
  rt: Runtime,
  input: ReadAppend,
  prepared: readonly PreparedMessage[],
  statementFor: (some: readonly PreparedMessage[]) => Append,
): Promise<Appended> {
  let written: readonly PreparedMessage[] = [];
  for (;;) {
    // Read before the lock is taken: media come from the blob store, over another connection.
    const recalled = await recall(rt, input, prepared);
    const appended = await rt.store.transaction(async (query): Promise<Appended | undefined> => {
      const locked = await lockThread(query, input.projectId, input.threadId);
      if (locked?.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
      const known = locked
        ? await knownMessages(query, input.projectId, locked.uid, idsOf(input.messages))
        : [];
      // Another request recorded one of them meanwhile: look it up first.
      if (known.some((row) => !recalled.has(row.seq))) return undefined;
      const { fresh, results } = sortOut(known, prepared);
      if (fresh.length > 0 && input.ifLastSeq !== undefined)
        refuseOtherLastSeq(input, await readThread(query, input.projectId, input.threadId));
      const row = fresh.length > 0 ? await append(query, statementFor(fresh)) : undefined;
      if (fresh.length > 0 && !row)
        throw new SpillwayError('thread_busy', 'The thread changed meanwhile. Retry.');
      written = fresh;
      const thread = row ?? (await readThread(query, input.projectId, input.threadId))!;
      const first = thread.nextSeq - fresh.length;
      return {
        thread,
        replayed: fresh.length === 0,
        usage: input.usage ? { applied: false, reason: 'replayed' } : null,
        messages: results.map((result) =>
          typeof result === 'number'
            ? recordedMessage(fresh[result]!, first + result)
            : recalled.get(result.seq)!,
        ),
      };
    });
    if (!appended) continue;
    hintCompaction(rt, appended.thread);
    countRecorded(rt, appended.thread, written);
    return appended;
  }
}

/** Separates recorded messages from new ones. A result is a recorded message or an index into `fresh`. */
function sortOut(
  known: readonly KnownMessage[],
  prepared: readonly PreparedMessage[],
): { fresh: PreparedMessage[]; results: (KnownMessage | number)[] } {
  const recorded = new Map(known.map((row) => [row.clientId, row]));
  const fresh: PreparedMessage[] = [];
  const results = prepared.map((message, i): KnownMessage | number => {
    const { clientId, hash } = message.row;
    const row = clientId === null ? undefined : recorded.get(clientId);
    if (row) return same(row.hash, hash, i) && row;
    const twin = clientId === null ? -1 : fresh.findIndex((other) => other.row.clientId === clientId);
    if (twin >= 0) return same(fresh[twin]!.row.hash, hash, i) && twin;
    return fresh.push(message) - 1;
  });
  return { fresh, results };
}

function same(recorded: Buffer, posted: Buffer, i: number): true {
  if (recorded.equals(posted)) return true;
  throw new SpillwayError('message_conflict', 'This message id has other content. Nothing was recorded.', [
    { path: `/messages/${i}/id`, message: 'has other content' },
  ]);
}

/**
 * Messages that were recorded before, by seq. Media are read for those alone that are posted again as they were: so they
 * take no more than the request, whose other ids may name any number of large files, and are conflicts.
 */
async function recall(
  rt: Runtime,
  input: ReadAppend,
  prepared: readonly PreparedMessage[],
): Promise<Map<number, AppendedMessage>> {
  const { projectId, threadId } = input;
  const thread = await readThread(rt.store.query, projectId, threadId);
  if (!thread) return new Map();
  const rows = await knownMessages(rt.store.query, projectId, thread.uid, idsOf(input.messages));
  // The messages are recorded: an answer without the bytes of media is better than none.
  const posted = new Map(prepared.map(({ row }) => [row.clientId, row.hash]));
  const repeated = rows.filter(({ clientId, hash }) => posted.get(clientId)?.equals(hash));
  const loaded = await loadMedia(rt, projectId, repeated.map(withReferences)).catch((error: unknown) => {
    rt.log.error({ err: error, projectId }, 'media of a replayed message could not be read');
    return null;
  });
  const bodies = new Map(rows.map((row) => [row.seq, loaded?.bodies.get(row.seq) ?? storedOf(row)]));
  return new Map(
    rows.map(({ seq, clientId, role, tokens, outputId }) => {
      const { format, body } = bodies.get(seq)!;
      const message = { seq, clientId, role, tokens, outputId, outputs: null, format, body };
      return [seq, message];
    }),
  );
}
