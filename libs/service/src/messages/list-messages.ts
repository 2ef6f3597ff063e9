import type { Body, FormatName } from '@spillway/engine';
import {
  countWithin,
  findOutputsOfMessages,
  listMessages as readMessages,
  messageSizes,
  type MessageRow,
  type OutputRow,
} from '@spillway/store';
import { readCursor, writeCursor, type Page } from '../paging/cursor.js';
import { storedOf } from './entries.js';
import { getThread } from '../threads/get-thread.js';
import { loadMedia, withReferences } from './media/load-media.js';
import { takeMedia } from './media/take-media.js';
import { inlineOriginals, postedContent } from '../outputs/posted-content.js';
import type { Runtime } from '../runtime.js';

export interface MessagesQuery {
  projectId: string;
  threadId: string;
  /** Seqs after this one … */
  after?: number;
  /** … and before this one. */
  before?: number;
  limit?: number;
  cursor?: string;
  view?: 'original' | 'context';
  /** False: offloaded outputs stay stubs, for callers who may not read outputs. Default: true. */
  withOutputs?: boolean;
  /** `marked`: media are neither read nor restored. */
  media?: 'included' | 'marked';
  /** Target bytes of a page, which holds at least one message. */
  maxBytes?: number;
}

export interface ListedMessage {
  row: MessageRow;
  format: FormatName;
  body: Body;
  outputs: OutputRow[];
}

/**
 * Messages by seq. `original` (the default) returns exactly what was posted, with offloaded outputs. When an output is
 * gone the message holds its stub, and `output.state` says so.
 */
export async function listMessages(rt: Runtime, query: MessagesQuery): Promise<Page<ListedMessage>> {
  const { projectId, limit = 100, before = 2_147_483_647 } = query;
  const thread = await getThread(rt, projectId, query.threadId);
  const of = { projectId, threadUid: thread.uid };
  const range = { ...of, after: readCursor(query.cursor, query.after ?? 0), before, limit: limit + 1 };
  const sizes = await messageSizes(rt.store.query, range);
  const fit = Math.min(limit, countWithin(sizes, query.maxBytes ?? maxPageBytes));
  const rows = await readMessages(rt.store, { ...range, limit: fit });
  const last = sizes.length > fit ? rows.at(-1) : undefined;
  const seqs = rows.filter((row) => row.outputId !== null).map((row) => row.seq);
  const outputs = Map.groupBy(await findOutputsOfMessages(rt.store, of, seqs), (output) => output.seq!);
  const bodies =
    query.media === 'marked'
      ? new Map(rows.map((row) => [row.seq, storedOf(row)]))
      : (await loadMedia(rt, projectId, rows.map(withReferences))).bodies;
  const inline =
    query.view === 'context' ? new Map<string, string>() : await inlineOriginals(rt, projectId, outputs);
  const data: ListedMessage[] = [];
  for (const row of rows) {
    const stored = bodies.get(row.seq)!;
    const own = outputs.get(row.seq) ?? [];
    const shown =
      query.view === 'context' || query.withOutputs === false
        ? { ...stored, outputs: own }
        : await postedContent(rt, stored, own, inline);
    // What was posted has its pictures: those beside the text of an output come back with it.
    const body = query.media === 'marked' && own.length > 0 ? takeMedia(shown.body).body : shown.body;
    data.push({ row, ...shown, body });
  }
  return { data, nextCursor: last ? writeCursor(last.seq) : null };
}

/** A thousand messages of 8 MiB would exhaust the memory of a process. */
const maxPageBytes = 16 * 1024 * 1024;
