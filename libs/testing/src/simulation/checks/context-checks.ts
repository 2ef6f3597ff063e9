import { conversationOverhead, countMessage, formats, type MessageCounter } from '@spillway/engine';
import type { ReadContext } from '@spillway/service';
import type { JsonMessage } from '../../http/api.js';
import { providerComplaint } from '../../stub-provider/provider-rules.js';
import type { MessageRecord } from '../memory/rows.js';
import { promise } from '../violation.js';

/**
 * A context is within its budget by its own count and by ours, is valid, and accounts for every message that is not
 * rewound, unless the messages it was made from are unknown.
 */
export function checkContext(
  context: ReadContext,
  threadId: string,
  counter: MessageCounter,
  all: readonly MessageRecord[] | null,
): void {
  const { messages, parts, tokens, budget, format, summary, lastSeq, elided } = context;
  const where = () => `the context of ${threadId} at ${lastSeq}`;
  promise(tokens.total <= budget.limit, () => `${where()} takes ${tokens.total} tokens of ${budget.limit}`);
  const system = context.system === null ? 0 : counter.text(context.system) + counter.perMessage;
  const counted = messages.reduce(
    (sum, body) => sum + countMessage(formats[format].read(body), counter),
    conversationOverhead + system,
  );
  promise(
    counted === tokens.total || formats[format].systemBeside,
    () => `${where()} takes ${counted} tokens and not ${tokens.total}`,
  );
  const complaint = providerComplaint(messages as JsonMessage[], format);
  promise(complaint === null, () => `${where()} would be refused: ${complaint}`);

  // Other formats may hold several of our messages in one of theirs.
  if (format !== 'openai' || all === null) return;
  const accounted = new Set(parts.map((part) => part.seq));
  const rewound = new Set(all.filter((one) => one.rewoundBefore > 0).map(({ seq }) => seq));
  for (const { seq } of parts)
    promise(seq === null || !rewound.has(seq), () => `${where()} shows message ${seq}, which was rewound`);
  for (const { from_seq, to_seq } of elided)
    for (let seq = from_seq; seq <= to_seq; seq++) accounted.add(seq);
  // A stray result is told as a note, which may not stand between calls and their results: it waits for them.
  const through = seqOfOpenCalls(messages as JsonMessage[], parts) ?? lastSeq;
  for (let seq = (summary?.toSeq ?? 0) + 1; seq <= through; seq++)
    promise(accounted.has(seq) || rewound.has(seq), () => `${where()} says nothing of message ${seq}`);
}

/** The seq of the message whose calls are still open at the end of a context. */
function seqOfOpenCalls(messages: readonly JsonMessage[], parts: ReadContext['parts']): number | null {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const calls = (messages[at]?.tool_calls ?? []) as { id: string }[];
  const answered = new Set(messages.slice(at + 1).map((message) => message.tool_call_id));
  return calls.some(({ id }) => !answered.has(id)) ? parts[at]!.seq : null;
}
