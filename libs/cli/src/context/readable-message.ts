type Value = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A message or item of any format as lines to read: a head, then its texts, calls and results. */
export function readableMessage(message: unknown): string[] {
  if (!isObject(message)) return [JSON.stringify(message)];
  const { role, type } = message;
  const head = `--- ${textOr(role, textOr(type, 'item'))}`;
  // An item of the Responses API without a role is a part by itself.
  const parts = role === undefined ? [message] : partsOf(message.content);
  const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as unknown[]) : [];
  const answered = textOr(message.tool_call_id, '');
  return [answered === '' ? head : `${head} for ${answered}`, ...[...parts, ...calls].flatMap(linesOf)];
}

const partsOf = (content: unknown): unknown[] =>
  content === null || content === undefined
    ? []
    : Array.isArray(content)
      ? (content as unknown[])
      : [content];

/** A part of a message: the fields in which formats put text, names and ids. Unknown parts are shown as JSON. */
function linesOf(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  if (!isObject(part)) return [JSON.stringify(part)];
  const fn = isObject(part.function) ? part.function : part;
  const callId = textOr(part.call_id, textOr(part.toolCallId, textOr(part.tool_use_id, textOr(part.id, ''))));
  const input = fn.arguments ?? fn.input;
  if (typeof fn.name === 'string' && input !== undefined)
    return [`[calls ${fn.name}, ${callId}] ${shown(input)}`];
  if (typeof part.toolName === 'string' && part.input !== undefined)
    return [`[calls ${part.toolName}, ${callId}] ${shown(part.input)}`];
  const result = part.output ?? (part.type === 'tool_result' ? part.content : undefined);
  if (result !== undefined) return [`[result of ${callId}]`, ...partsOf(result).flatMap(linesOf)];
  if (typeof part.text === 'string')
    return [part.type === 'reasoning' ? `[reasoning] ${part.text}` : part.text];
  if (typeof part.thinking === 'string') return [`[reasoning] ${part.thinking}`];
  if (typeof part.value === 'string') return [part.value];
  return [`[${textOr(part.type, 'part')}] ${shown(part)}`];
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Long values, such as the data of an image, are cut. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}
