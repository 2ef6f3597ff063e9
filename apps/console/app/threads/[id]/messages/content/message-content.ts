/** The content of a message of any format. Its shape is not trusted: bodies are shown as posted. */
export interface MessageContent {
  /** The `name` of who wrote it: one of several people or agents. */
  participant?: string;
  text: string;
  toolCalls: ShownToolCall[];
  /** The calls whose results it contains. */
  answers: string[];
  /** Parts that are not text, by type, with those of its results. */
  otherParts: string[];
}

export interface ShownToolCall {
  id: string;
  name: string;
  arguments: string;
}

type Fields = Record<string, unknown>;

const known = new WeakMap<Fields, MessageContent>();

/** The same with a cache: rows read a message on every render. */
export function contentOf(message: Fields): MessageContent {
  const content = known.get(message) ?? readContent(message);
  known.set(message, content);
  return content;
}

/**
 * OpenAI chat, Responses items, Anthropic and AI SDK messages all consist of typed parts: the fields of a part identify
 * it, so one reader serves all four.
 */
export function readContent(message: Fields): MessageContent {
  const content: MessageContent = { text: '', toolCalls: [], answers: [], otherParts: [] };
  const isPerson = message.role === 'user' || message.role === 'assistant';
  if (isPerson && typeof message.name === 'string') content.participant = message.name;
  const texts: string[] = [];
  const isItem = typeof message.type === 'string' && message.type !== 'message';
  if (typeof message.tool_call_id === 'string') content.answers.push(message.tool_call_id);
  for (const part of isItem ? [message] : partsOf(message.content)) readPart(part, content, texts);
  if (typeof message.refusal === 'string') texts.push(message.refusal);
  for (const call of partsOf(message.tool_calls)) content.toolCalls.push(readToolCall(call));
  content.text = texts.join('\n');
  return content;
}

const partsOf = (value: unknown): Fields[] =>
  typeof value === 'string'
    ? [{ type: 'text', text: value }]
    : Array.isArray(value)
      ? value.filter(isFields)
      : [];

function readPart(part: Fields, content: MessageContent, texts: string[]): void {
  const type = textOf(part.type);
  const spoken = part.text ?? part.refusal ?? part.thinking;
  const result =
    part.tool_use_id ??
    (type === 'tool-result' || type.endsWith('_output') ? (part.toolCallId ?? part.call_id) : undefined);
  if (typeof result === 'string') {
    content.answers.push(result);
    readResult(part.content ?? part.output, content, texts);
  } else if (
    type === 'tool_use' ||
    type === 'tool-call' ||
    (type.endsWith('_call') && typeof part.call_id === 'string')
  ) {
    content.toolCalls.push(readToolCall(part));
  } else if (typeof spoken === 'string') texts.push(spoken);
  else if (type === 'reasoning') for (const line of partsOf(part.summary)) texts.push(textOf(line.text));
  else content.otherParts.push(type || 'unknown');
}

/** A result's content: text, parts, or an AI SDK tool's output, which is either or a JSON value. */
function readResult(result: unknown, content: MessageContent, texts: string[]): void {
  const value = isFields(result) ? (result.value ?? result) : result;
  const isJson = isFields(value) || (isFields(result) && result.type === 'json');
  const parts = isJson ? [] : partsOf(value);
  if (isJson) texts.push(typeof value === 'string' ? value : JSON.stringify(value));
  for (const part of parts) {
    if (typeof part.text === 'string') texts.push(part.text);
    else content.otherParts.push(textOf(part.type) || 'unknown');
  }
}

function readToolCall(call: Fields): ShownToolCall {
  const of = isFields(call.function) ? call.function : isFields(call.custom) ? call.custom : call;
  const input = of.arguments ?? of.input;
  return {
    id: textOf(call.call_id ?? call.toolCallId ?? call.id),
    name: textOf(of.name ?? of.toolName ?? of.type),
    arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
