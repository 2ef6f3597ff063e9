import { SpillwayError, type Body } from '@spillway/engine';
import { findOutputs, listMessages as readMessages, type MessageRow, type OutputRow } from '@spillway/store';
import { pageOf, readCursor, type Page } from './cursor.js';
import { getThread } from './get-thread.js';
import { readWholeOutput } from './read-output.js';
import type { Runtime } from './runtime.js';

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
}

export interface ListedMessage {
  row: MessageRow;
  body: Body;
  output: OutputRow | null;
}

/**
 * Messages by seq. `original` (the default) gives back exactly what was posted, offloaded outputs included; when
 * an output is no longer there the message holds its stub, and `output.state` says so.
 */
export async function listMessages(rt: Runtime, query: MessagesQuery): Promise<Page<ListedMessage>> {
  const thread = await getThread(rt, query.projectId, query.threadId);
  const { limit = 100, before = 2_147_483_647 } = query;
  const rows = await readMessages(rt.store, {
    projectId: query.projectId,
    threadUid: thread.uid,
    after: readCursor(query.cursor, query.after ?? 0),
    before,
    limit: limit + 1,
  });
  const page = pageOf(rows, limit, (row) => row.seq);
  const ids = page.data.flatMap((row) => row.outputId ?? []);
  const outputs = new Map((await findOutputs(rt.store, query.projectId, ids)).map((row) => [row.id, row]));
  const data: ListedMessage[] = [];
  for (const row of page.data) {
    const output = row.outputId === null ? null : (outputs.get(row.outputId) ?? null);
    const stub = JSON.parse(row.body) as Body;
    const shown =
      output && query.view !== 'context' ? await original(rt, stub, output) : { body: stub, output };
    data.push({ row, ...shown });
  }
  return { data, nextCursor: page.nextCursor };
}

/** The message as it was posted; its stub when the bytes are gone or are not the ones that were written. */
async function original(
  rt: Runtime,
  stub: Body,
  output: OutputRow,
): Promise<Pick<ListedMessage, 'body' | 'output'>> {
  if (output.state !== 'ready') return { body: stub, output };
  if (output.original !== null) {
    return { body: { ...stub, content: JSON.parse(output.original) as unknown }, output };
  }
  try {
    return { body: { ...stub, content: await readWholeOutput(rt, output) }, output };
  } catch (error) {
    if (!(error instanceof SpillwayError && error.code === 'output_gone')) throw error;
    return { body: stub, output: { ...output, state: 'corrupt' } };
  }
}
