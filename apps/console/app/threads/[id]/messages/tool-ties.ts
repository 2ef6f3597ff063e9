import type { Schemas } from '@spillway/client';
import { readContent } from './message-content';

export interface ToolTies {
  /** The seq of the result of a call, by the call's id and where it was made. */
  resultOf: (callId: string, callSeq: number) => number | undefined;
  /** The call a result answers. */
  callOf: (callId: string, resultSeq: number) => { seq: number; name: string } | undefined;
}

/** Ties tool calls to their results among the messages that are loaded. An id used twice ties to its neighbour. */
export function toolTies(bySeq: ReadonlyMap<number, Schemas['Message']>): ToolTies {
  const calls = new Map<string, { seq: number; name: string }[]>();
  const results = new Map<string, number[]>();
  for (const { seq, message } of [...bySeq.values()].sort((a, b) => a.seq - b.seq)) {
    const content = readContent(message);
    for (const call of content.toolCalls) {
      calls.set(call.id, [...(calls.get(call.id) ?? []), { seq, name: call.name }]);
    }
    for (const id of content.answers) results.set(id, [...(results.get(id) ?? []), seq]);
  }
  return {
    resultOf: (id, callSeq) => results.get(id)?.find((seq) => seq > callSeq),
    callOf: (id, resultSeq) => calls.get(id)?.findLast((call) => call.seq < resultSeq),
  };
}
