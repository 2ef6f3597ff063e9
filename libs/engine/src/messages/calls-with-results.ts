import type { SeqMessage } from './seq-message.js';

type Call = SeqMessage['calls'][number];
type Result = SeqMessage['results'][number];

export interface CallWithResult {
  call: Call;
  /** The message that made the call, by its place among the messages. */
  at: number;
  /** The newest of its results; null when there is none among the messages. */
  result: Result | null;
}

/**
 * The calls of these messages with their results, in order. An id names a call until a later message calls with it again:
 * some servers number the calls of each turn from the start. Results of one id go to the calls of one message in order.
 */
export function callsWithResults(messages: readonly SeqMessage[]): CallWithResult[] {
  const all: CallWithResult[] = [];
  const newest = new Map<string, { made: CallWithResult[]; answered: number }>();
  messages.forEach(({ calls, results }, at) => {
    for (const call of calls) {
      const one: CallWithResult = { call, at, result: null };
      const before = newest.get(call.id);
      if (before?.made[0]!.at === at) before.made.push(one);
      else newest.set(call.id, { made: [one], answered: 0 });
      all.push(one);
    }
    for (const result of results) {
      const ofId = newest.get(result.id);
      if (ofId) (ofId.made[ofId.answered++] ?? ofId.made.at(-1)!).result = result;
    }
  });
  return all;
}
