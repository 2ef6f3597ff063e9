import type { KeptContext } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { ReadContext } from './build-context.js';
import type { ContextQuery } from './read-context.js';

/** Tokens of all contexts that a process keeps: about 15 bytes of memory each, as messages and as JSON. */
const maxTokens = 1_000_000;
/** Of one of them. */
const maxTokensEach = 250_000;

interface Kept {
  context: ReadContext;
  /** What Postgres compares with its rows. */
  served: KeptContext;
}

/**
 * Contexts that this process served, so that an unchanged one is not built again. Before each use Postgres must say that
 * it is still the one to serve (`isStillServed`): another process may have changed the thread since.
 */
export class KeptContexts {
  private readonly contexts = new LRUCache<string, Kept>({
    maxSize: maxTokens,
    maxEntrySize: maxTokensEach,
    sizeCalculation: ({ context }) => Math.max(1, context.tokens.total),
  });

  find(query: ContextQuery): Kept | undefined {
    const key = keyOf(query);
    return key === null ? undefined : this.contexts.get(key);
  }

  keep(query: ContextQuery, kept: Kept): void {
    const key = keyOf(query);
    if (key !== null) this.contexts.set(key, kept);
  }
}

/** Null for a query with texts of its own: they may be large, and differ from turn to turn. */
function keyOf(query: ContextQuery): string | null {
  const { projectId, threadId, maxTokens, at, system, format, alternate, reasoning, model, tools } = query;
  if (at !== undefined || system !== undefined || tools?.length) return null;
  return JSON.stringify([projectId, threadId, maxTokens, format, alternate, reasoning, model]);
}
