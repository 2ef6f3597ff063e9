import { oneLine, type Item } from '../extractive/item.js';
import type { SeqMessage } from '../messages/seq-message.js';

/** Calls whose results were stored, with the outputs' ids: what was read is grepped there, and not read again. */
export function storedOutputsOf(messages: readonly SeqMessage[]): Item[] {
  const results = new Map(
    messages.flatMap((message) => message.results.map((result) => [result.id, result])),
  );
  return messages.flatMap(({ seq, calls }) =>
    calls.flatMap((call) => {
      const id = /\bout_[0-9a-f]{32}\b/.exec(results.get(call.id)?.text.slice(0, 40_000) ?? '')?.[0];
      return id === undefined
        ? []
        : [{ seq, text: `${call.name}(${oneLine(call.input, 140)}) -> ${id}`, weight: 1.3 }];
    }),
  );
}
