import { loadCounter } from '@spillway/engine';
import type { ListedThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { listThreads } from '../threads/list-threads.js';
import type { Page } from '../paging/cursor.js';
import { answerOf, footerTokens, writtenCall, type ReaderAnswer } from './reader-answer.js';
import { itemTokens } from './structure-tokens.js';

const maxThreads = 20;
const maxTokens = 2_400;
/** Tokens of the last line: the query may have 200 characters, and a cursor is as long. */
const endTokens = footerTokens * 4;

interface ListThreadsArguments {
  q?: string | undefined;
  cursor?: string | undefined;
}

/** Lists threads of a project for a model, a line each. Throws `invalid_request` for a cursor that is none of ours. */
export async function listThreadsTool(
  rt: Runtime,
  projectId: string,
  { q, cursor }: ListThreadsArguments,
): Promise<ReaderAnswer> {
  const room = { maxTokens, count: await loadCounter('o200k'), structured: true };
  const read = (limit: number): Promise<Page<ListedThreadRow>> =>
    listThreads(rt, {
      ...{ projectId, limit },
      ...(q === undefined ? {} : { q }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  let page = await read(maxThreads);
  let left = maxTokens - endTokens;
  const fitting = page.data.findIndex((row) => (left -= itemTokens(lineOf(row), itemOf(row), room)) < 0);
  // The cursor stands behind the last thread of a page: a shorter page has another.
  if (fitting > 0) page = await read(fitting);
  const { data, nextCursor } = page;
  const more = nextCursor === null ? '' : ` Next: ${writtenCall('list_threads', { q, cursor: nextCursor })}`;
  return answerOf(data.map(lineOf).join('\n'), `[${data.length} conversations.${more}]`, room, {
    threads: data.map(itemOf),
    next_cursor: nextCursor,
  });
}

function lineOf({ id, headSeq, updatedAt, generation }: ListedThreadRow): string {
  const folded = generation > 0 ? ', summarized' : '';
  return `${id}\t${headSeq} messages${folded}, last used ${updatedAt.toISOString()}`;
}

const itemOf = ({ id, headSeq, updatedAt, generation }: ListedThreadRow) => ({
  id,
  messages: headSeq,
  generation,
  updated_at: updatedAt.toISOString(),
});
