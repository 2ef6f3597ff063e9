/** What a message in OpenAI format holds, read without trusting its shape: bodies are shown as they were posted. */
export interface MessageContent {
  text: string;
  toolCalls: ShownToolCall[];
  /** The call a tool message answers. */
  answers: string | null;
  /** Parts that are not text, by type. */
  otherParts: string[];
}

export interface ShownToolCall {
  id: string;
  name: string;
  arguments: string;
}

export function readContent(message: Record<string, unknown>): MessageContent {
  const parts = Array.isArray(message.content) ? message.content.filter(isRecord) : [];
  const texts = parts.map((part) => part.text).filter((text) => typeof text === 'string');
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : [];
  return {
    text: typeof message.content === 'string' ? message.content : texts.join('\n'),
    toolCalls: calls.map(readToolCall),
    answers: typeof message.tool_call_id === 'string' ? message.tool_call_id : null,
    otherParts: parts.filter((part) => typeof part.text !== 'string').map((part) => textOf(part.type)),
  };
}

function readToolCall(call: Record<string, unknown>): ShownToolCall {
  const of = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : {};
  return { id: textOf(call.id), name: textOf(of.name), arguments: textOf(of.arguments ?? of.input) };
}

/** JSON with line breaks and indents; null for what is not a JSON object or list. */
export function formatJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text) || text.length > 200_000) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
