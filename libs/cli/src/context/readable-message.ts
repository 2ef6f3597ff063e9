import { terminalText } from '../program/terminal-text.js';

type Value = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A message or item of any format as lines to read: a head, then its texts, calls and results. */
export function readableMessage(message: unknown): string[] {
  if (!isObject(message)) return [terminalText(JSON.stringify(message))];
  const { role, type } = message;
  const head = `--- ${textOr(role, textOr(type, 'item'))}`;
  // An item of the Responses API without a role is a part by itself.
  const parts = role === undefined ? [message] : partsOf(message.content);
  const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as unknown[]) : [];
  const answered = textOr(message.tool_call_id, '');
  return [
    answered === '' ? head : `${head} for ${terminalText(answered)}`,
    ...[...parts, ...calls].flatMap(linesOf),
  ];
}

const partsOf = (content: unknown): unknown[] =>
  content === null || content === undefined
    ? []
    : Array.isArray(content)
      ? (content as unknown[])
      : [content];

/** A part of a message: the fields in which formats put text, names and ids. Unknown parts are shown as JSON. */
function linesOf(part: unknown): string[] {
  if (typeof part === 'string') return [terminalText(part)];
  if (!isObject(part)) return [terminalText(JSON.stringify(part))];
  const fn = isObject(part.function) ? part.function : part;
  const callId = textOr(part.call_id, textOr(part.toolCallId, textOr(part.tool_use_id, textOr(part.id, ''))));
  const input = fn.arguments ?? fn.input;
  if (typeof fn.name === 'string' && input !== undefined)
    return [`[calls ${terminalText(fn.name)}, ${terminalText(callId)}] ${shown(input)}`];
  if (typeof part.toolName === 'string' && part.input !== undefined)
    return [`[calls ${terminalText(part.toolName)}, ${terminalText(callId)}] ${shown(part.input)}`];
  const result = part.output ?? (part.type === 'tool_result' ? part.content : undefined);
  if (result !== undefined)
    return [`[result of ${terminalText(callId)}]`, ...partsOf(result).flatMap(linesOf)];
  if (typeof part.text === 'string')
    return [part.type === 'reasoning' ? `[reasoning] ${terminalText(part.text)}` : terminalText(part.text)];
  if (typeof part.thinking === 'string') return [`[reasoning] ${terminalText(part.thinking)}`];
  if (typeof part.value === 'string') return [terminalText(part.value)];
  return [`[${terminalText(textOr(part.type, 'part'))}] ${shown(part)}`];
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Long values, such as the data of an image, are cut. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return terminalText(text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text);
}
