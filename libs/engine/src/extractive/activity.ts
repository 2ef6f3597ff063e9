import type { SeqMessage } from '../messages/seq-message.js';
import { oneLine, type Item } from './item.js';

/** What was done: each tool call with its arguments, and where its result went. */
export function actionsOf(messages: readonly SeqMessage[]): Item[] {
  const results = new Map(
    messages.flatMap((message) => message.results.map((result) => [result.id, result] as const)),
  );
  return messages.flatMap((message) =>
    message.calls.map((call) => {
      const result = results.get(call.id);
      const output = result ? /\bout_[0-9a-f]{32}\b/.exec(result.text)?.[0] : undefined;
      const where = output ? ` -> ${output}` : '';
      return {
        seq: message.seq,
        text: `${call.name}(${oneLine(call.input, 140)})${where}`,
        weight: output ? 1.3 : 1,
      };
    }),
  );
}

/** The last thing the assistant reported, which is the best short account of where things stand. */
export function latestReport(messages: readonly SeqMessage[]): Item[] {
  const last = messages.findLast(
    (message) => message.role === 'assistant' && message.text.trim().length > 40,
  );
  return last ? [{ seq: last.seq, text: `assistant: ${oneLine(last.text, 400)}`, weight: 3 }] : [];
}
