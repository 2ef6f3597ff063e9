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

/**
 * Returns what gives the caller's own object of a result in a context; undefined for a result that the context shows in
 * another way, such as a stub. `results` has the caller's objects, each with the `tool-result` of the AI SDK that it is.
 */
export function ownResults<T>(
  results: Iterable<readonly [result: object, own: T]>,
): (result: object) => T | undefined {
  const keyOf = (result: object) => {
    const { toolCallId, output } = result as { toolCallId?: unknown; output?: unknown };
    return JSON.stringify([toolCallId, output]);
  };
  const known = new Map<string, T>();
  for (const [result, own] of results) known.set(keyOf(result), own);
  return (result) => known.get(keyOf(result));
}
