type Part = Record<string, unknown>;

/**
 * Returns who said what, in one line for each text, call and result, whatever the format: `user: Hi`,
 * `call list_orders`, `result`. Two histories with the same transcript hold the same messages.
 */
export const transcriptOf = (messages: readonly unknown[]): string[] =>
  (messages as Part[]).flatMap((message) => {
    const lines = [message, ...partsOf(message.content), ...partsOf(message.tool_calls)].flatMap(
      (part) => lineOf(part, message) ?? [],
    );
    // A result's text is not of interest: it may be a stub.
    return message.role === 'tool' && !lines.includes('result') ? ['result'] : lines;
  });

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as Part[]) : [];
}

function lineOf(part: Part, message: Part): string | null {
  const type = String(part.type);
  if (/^function_call_(output|result)$|^tool[-_]result$/.test(type)) return 'result';
  if (/^function(_call)?$|^tool[-_](call|use)$/.test(type))
    return `call ${String(part.toolName ?? part.name ?? (part.function as Part).name)}`;
  if (!/^(input_|output_)?text$/.test(type) || message.role === 'tool') return null;
  return `${String(message.role)}: ${String(part.text)}`;
}
