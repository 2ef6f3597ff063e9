import {
  entriesOf,
  formats,
  groupUnits,
  hasOpenCalls,
  HistoryWriter,
  textOf,
  readMessage,
} from '@spillway/engine';
import type { Body, Dropped, FormatName, Stored, Unit, WrittenHistory } from '@spillway/engine';
import { readEntries, type ThreadRow } from '@spillway/store';
import { beyondRequest } from '../access/beyond-request.js';
import { entryOf } from '../messages/entries.js';
import { listMessages } from '../messages/list-messages.js';
import type { Runtime } from '../runtime.js';

export type Converted =
  | { type: 'system'; text: string }
  | { type: 'converted'; seq: number | null; format: FormatName; body: Body }
  | ({ type: 'dropped' } & Dropped);

/** Messages written together, as units. Their bodies are in memory at once. */
const messagesAtOnce = 100;

/**
 * The whole history of a thread in another format, without rewound messages and without a summary: written as a context
 * is, so that every call has its result. Yields leading system messages first, where the format has them beside the
 * messages. What the format cannot express is named after the messages it was in.
 */
export async function* convertThread(
  rt: Runtime,
  thread: ThreadRow,
  target: FormatName,
  withOutputs: boolean,
): AsyncGenerator<Converted> {
  const { projectId, id: threadId, uid: threadUid, headSeq: through, leadingThrough } = thread;
  const rows = await beyondRequest(projectId, () =>
    readEntries(rt.store.query, { projectId, threadUid, after: 0, through, also: [] }),
  );
  const { counter } = await beyondRequest(projectId, () => rt.settings.ofRow(thread));
  const bodiesOf = (seqs: readonly number[]) =>
    beyondRequest(projectId, () => readPosted(rt, { projectId, threadId, withOutputs }, seqs));
  const isBeside = formats[target].systemBeside;
  const entries = rows.map(entryOf);
  if (isBeside) {
    const leading = entries.filter(({ seq }) => seq <= leadingThrough).map(({ seq }) => seq);
    for (const stored of (await bodiesOf(leading)).values())
      yield { type: 'system', text: textOf(readMessage(stored)) };
  }
  const units = groupUnits(isBeside ? entries.filter(({ seq }) => seq > leadingThrough) : entries);
  const writer = new HistoryWriter(target, counter);
  for (const batch of inBatches(units)) {
    const seqs = batch.flatMap(entriesOf).map(({ seq }) => seq);
    yield* converted(target, writer.add(batch, await bodiesOf(seqs)));
  }
  yield* converted(target, writer.end());
}

function* converted(format: FormatName, { messages, dropped }: WrittenHistory): Generator<Converted> {
  for (const { seq, body } of messages) yield { type: 'converted', seq, format, body };
  for (const one of dropped) yield { type: 'dropped', ...one };
}

/** A batch does not end with a call that waits for its result: only the end of the history may. */
function* inBatches(units: readonly Unit[]): Generator<Unit[]> {
  let batch: Unit[] = [];
  let messages = 0;
  for (const unit of units) {
    batch.push(unit);
    messages += entriesOf(unit).length;
    if (messages < messagesAtOnce || hasOpenCalls(unit)) continue;
    yield batch;
    batch = [];
    messages = 0;
  }
  if (batch.length > 0) yield batch;
}

async function readPosted(
  rt: Runtime,
  of: { projectId: string; threadId: string; withOutputs: boolean },
  seqs: readonly number[],
): Promise<Map<number, Stored>> {
  const bodies = new Map<number, Stored>();
  const last = seqs.reduce((max, seq) => Math.max(max, seq), 0);
  for (let after = seqs.reduce((min, seq) => Math.min(min, seq), last) - 1; after < last;) {
    const { data } = await listMessages(rt, { ...of, after, before: last + 1, limit: messagesAtOnce });
    for (const { row, format, body } of data) bodies.set(row.seq, { format, body });
    if (data.length === 0) break;
    after = data.at(-1)!.row.seq;
  }
  return bodies;
}
