import type { Message } from '../thread.js';
import { argumentsOf, identityOf } from './identity.js';

/**
 * Returns, for each message of a context, the caller's own object of it, so that nothing is lost that a framework keeps
 * there; undefined for stubs, notes and summaries. `history` has the caller's objects, each with the model message of
 * the AI SDK that it is. Messages that say the same are told apart by their order: the newest of the context is the
 * newest of the history, and each is taken once.
 */
export function ownMessages<T>(
  context: readonly object[],
  history: readonly (readonly [message: object, own: T])[],
): (T | undefined)[] {
  const known = new Map<string, T[]>();
  for (const [message, own] of history) {
    const name = nameOf(message);
    const same = known.get(name);
    if (same) same.push(own);
    else known.set(name, [own]);
  }
  return context
    .toReversed()
    .map((message) => known.get(nameOf(message))?.pop())
    .toReversed();
}

/** Ids of calls may repeat in a conversation: arguments tell the messages apart. */
const nameOf = (message: Message): string => identityOf(message) + argumentsOf(message);
