import type { Schemas } from '@spillway/client';
import { contentOf } from './message-content';

/** The seq of a call's result; `open` when the thread has none; `unknown` when later messages are not loaded. */
export type ToolResult = number | 'open' | 'unknown';

export interface ToolTies {
  /** By the call's id and where it was made. */
  resultOf: (callId: string, callSeq: number) => ToolResult;
  /** The call a result answers. */
  callOf: (callId: string, resultSeq: number) => { seq: number; name: string } | undefined;
}

type Messages = ReadonlyMap<number, Schemas['Message']>;

/** Links tool calls with their results among the loaded messages. A repeated id links to its neighbour. */
export function toolTies(bySeq: Messages, lastSeq: number): ToolTies {
  const calls = new Map<string, { seq: number; name: string }[]>();
  const results = new Map<string, number[]>();
  for (const { seq, message } of [...bySeq.values()].sort((a, b) => a.seq - b.seq)) {
    const content = contentOf(message);
    for (const call of content.toolCalls) push(calls, call.id, { seq, name: call.name });
    for (const id of content.answers) push(results, id, seq);
  }
  return {
    resultOf: (id, callSeq) => {
      const result = results.get(id)?.find((seq) => seq > callSeq);
      if (result !== undefined) return result;
      for (let seq = callSeq + 1; seq <= lastSeq; seq++) if (!bySeq.has(seq)) return 'unknown';
      return 'open';
    },
    callOf: (id, resultSeq) => calls.get(id)?.findLast((call) => call.seq < resultSeq),
  };
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
