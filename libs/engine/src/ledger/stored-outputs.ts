import { clipAtWord, type SummaryLine } from '../compaction/summary-line.js';
import { callsWithResults } from '../messages/calls-with-results.js';
import type { SeqMessage } from '../messages/seq-message.js';

/** Calls whose results were stored, with the outputs' ids: what was read is grepped there, and not read again. */
export function storedOutputsOf(messages: readonly SeqMessage[]): SummaryLine[] {
  return callsWithResults(messages).flatMap(({ call, at, result }) => {
    const id = /\bout_[0-9a-f]{32}\b/.exec(result?.text.slice(0, 40_000) ?? '')?.[0];
    const text = `${call.name}(${clipAtWord(call.input, 140)}) -> ${id}`;
    return id === undefined ? [] : [{ seq: messages[at]!.seq, text }];
  });
}
