import { loadCounter } from '@spillway/engine';
import type { Runtime } from '../runtime.js';
import { listThreads } from '../threads/list-threads.js';
import { answerOf, writtenCall, type ReaderAnswer } from './reader-answer.js';

const maxThreads = 20;
/** Ids are at most 200 characters, so that all of a page fits. */
const maxTokens = 2_400;

/** Lists threads of a project for a model, a line each. Throws `invalid_request` for a cursor that is none of ours. */
export async function listThreadsTool(
  rt: Runtime,
  projectId: string,
  { q, cursor }: { q?: string | undefined; cursor?: string | undefined },
): Promise<ReaderAnswer> {
  const { data, nextCursor } = await listThreads(rt, {
    ...{ projectId, limit: maxThreads },
    ...(q === undefined ? {} : { q }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const lines = data.map(({ id, headSeq, updatedAt, generation }) => {
    const folded = generation > 0 ? ', summarized' : '';
    return `${id}\t${headSeq} messages${folded}, last used ${updatedAt.toISOString()}`;
  });
  const more = nextCursor === null ? '' : ` Next: ${writtenCall('list_threads', { q, cursor: nextCursor })}`;
  const count = await loadCounter('o200k');
  return answerOf(lines.join('\n'), `[${data.length} conversations.${more}]`, { maxTokens, count });
}
