import { SpillwayError } from '@spillway/engine';
import { append, knownMessages, lockThread, readThread, type Append, type ThreadRow } from '@spillway/store';
import { recordedMessage, type Appended, type AppendedMessage, type AppendInput } from './appended.js';
import { countRecorded } from './count-usage.js';
import { storedOf } from './entries.js';
import { hintCompaction } from './hint-compaction.js';
import { loadMedia } from './media/load-media.js';
import type { IncomingMessage, PreparedMessage } from './prepare-messages.js';
import type { Runtime } from './runtime.js';

const idsOf = (messages: readonly IncomingMessage[]): string[] =>
  messages.flatMap((message) => message.clientId ?? []);

/** Was any of these messages recorded before, or does one come twice? */
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
 * An append in which some client ids are known, or come twice: a client that did not see our answer. The known
 * ones give their first seq back, the others are written, all under the lock of the thread. Other content under a
 * known id is `message_conflict`, and then nothing is written.
 */
export async function appendAgain(
  rt: Runtime,
  input: AppendInput,
  prepared: readonly PreparedMessage[],
  statementFor: (some: readonly PreparedMessage[]) => Append,
): Promise<Appended> {
  let written: readonly PreparedMessage[] = [];
  const appended = await rt.store.transaction(async (query): Promise<Appended> => {
    const locked = await lockThread(query, input.projectId, input.threadId);
    if (locked?.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
    const known = locked
      ? await knownMessages(query, input.projectId, locked.uid, idsOf(input.messages))
      : [];
    const recorded = new Map(known.map((row) => [row.clientId, row]));
    const fresh: PreparedMessage[] = [];
    const places = prepared.map((message, i): KnownPlace | number => {
      const { clientId, hash } = message.row;
      const row = clientId === null ? undefined : recorded.get(clientId);
      if (row) return same(row.hash, hash, i) && row;
      const twin = clientId === null ? -1 : fresh.findIndex((other) => other.row.clientId === clientId);
      if (twin >= 0) return same(fresh[twin]!.row.hash, hash, i) && twin;
      return fresh.push(message) - 1;
    });
    const row = fresh.length > 0 ? await append(query, statementFor(fresh)) : undefined;
    if (fresh.length > 0 && !row)
      throw new SpillwayError('thread_busy', 'The thread changed meanwhile; try again.');
    written = fresh;
    const thread = row ?? (await readThread(query, input.projectId, input.threadId))!;
    const first = thread.nextSeq - fresh.length;
    const recalled = await recall(rt, input, known);
    return {
      thread,
      replayed: fresh.length === 0,
      usage: input.usage ? { applied: false, reason: 'replayed' } : null,
      messages: places.map((place) =>
        typeof place === 'number' ? recordedMessage(fresh[place]!, first + place) : recalled.get(place.seq)!,
      ),
    };
  });
  hintCompaction(rt, appended.thread);
  countRecorded(rt, appended.thread, written);
  return appended;
}

type KnownPlace = Awaited<ReturnType<typeof knownMessages>>[number];

function same(recorded: Buffer, posted: Buffer, i: number): true {
  if (recorded.equals(posted)) return true;
  throw new SpillwayError(
    'message_conflict',
    'This message id was used for other content; nothing was written.',
    [{ path: `/messages/${i}/id`, message: 'was used for other content' }],
  );
}

/** Messages recorded before, as they stand. */
async function recall(
  rt: Runtime,
  input: AppendInput,
  rows: readonly KnownPlace[],
): Promise<Map<number, AppendedMessage>> {
  // What was recorded stays recorded: an answer without the bytes of media is better than none.
  const { bodies } = await loadMedia(rt, input.projectId, rows).catch((error: unknown) => {
    rt.log.error({ err: error, projectId: input.projectId }, 'media of a replayed message could not be read');
    return { bodies: new Map(rows.map((row) => [row.seq, storedOf(row)])) };
  });
  return new Map(
    rows.map(({ seq, clientId, role, tokens, outputId }) => {
      const { format, body } = bodies.get(seq)!;
      const message = { seq, clientId, role, tokens, outputId, outputs: null, format, body };
      return [seq, message];
    }),
  );
}
