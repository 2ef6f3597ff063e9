import type { JsonMessage } from './api.js';

interface Call {
  id: string;
}

/**
 * What OpenAI's API refuses with 400, checked apart from the engine: a tool message must answer a call of the
 * assistant message before it, and all calls must be answered before anyone else speaks, except at the very end.
 * Gives what is wrong, or null.
 */
export function providerComplaint(messages: readonly JsonMessage[]): string | null {
  let open: Set<string> | null = null;
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open?.delete(message.tool_call_id as string)) return `message ${i} answers no call`;
      continue;
    }
    if (open && open.size > 0) return `calls before message ${i} have no result`;
    const calls = message.tool_calls as Call[] | undefined;
    open = calls?.length ? new Set(calls.map((call) => call.id)) : null;
  }
  return null;
}
