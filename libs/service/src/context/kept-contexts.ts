import type { KeptContext } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { ContextQuery, ReadContext } from './context.js';

/** Tokens of all contexts that a process keeps: about 15 bytes of memory each, as messages and as JSON. */
const maxTokens = 1_000_000;
/** Of one of them. */
const maxTokensEach = 250_000;

interface Kept {
  /** What was asked for, see keyOf. */
  key: string;
  context: ReadContext;
  /** What Postgres compares with its rows. */
  served: KeptContext;
}

/**
 * The contexts that this process served last, one of each thread, so that an unchanged one is not built again. Before
 * each use Postgres must say that it is still the one to serve (`isStillServed`): another process may have changed the
 * thread since.
 */
export class KeptContexts {
  private readonly contexts = new LRUCache<string, Kept>({
    maxSize: maxTokens,
    maxEntrySize: maxTokensEach,
    sizeCalculation: ({ context }) => Math.max(1, context.tokens.total),
  });

  find(query: ContextQuery): Kept | undefined {
    const kept = this.contexts.get(threadOf(query));
    return kept?.key === keyOf(query) ? kept : undefined;
  }

  keep(query: ContextQuery, kept: Omit<Kept, 'key'>): void {
    const key = keyOf(query);
    if (key !== null) this.contexts.set(threadOf(query), { key, ...kept });
  }

  /** After a change that this process made, so that the next read does not ask about the context before it. */
  forget(thread: ThreadName): void {
    this.contexts.delete(threadOf(thread));
  }
}

type ThreadName = Pick<ContextQuery, 'projectId' | 'threadId'>;

const threadOf = ({ projectId, threadId }: ThreadName): string => `${projectId}/${threadId}`;

/** Null for a query with texts of its own: they may be large, and differ from turn to turn. */
function keyOf(query: ContextQuery): string | null {
  const { maxTokens, at, system, format, alternate, reasoning, model, tools } = query;
  if (at !== undefined || system !== undefined || tools?.length) return null;
  return JSON.stringify([maxTokens, format, alternate, reasoning, model]);
}
