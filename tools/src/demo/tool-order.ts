/** What a provider would refuse in a message list: a result apart from its call, or an unanswered call. */
export function toolOrderFault(messages: readonly Record<string, unknown>[]): string | null {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.delete(id)) return `message ${index}: result of ${id} does not directly follow its call`;
      continue;
    }
    if (open.size > 0) return `message ${index}: call ${[...open].join(', ')} before it has no result`;
    open = new Set(callIds(message));
  }
  // Open calls at the end are still being worked on.
  return null;
}

function callIds(message: Record<string, unknown>): string[] {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) =>
    call !== null && typeof call === 'object' && 'id' in call ? [String(call.id)] : [],
  );
}
