import type { LeftOut } from '../../imported-session.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from '../json-value.js';

/**
 * Returns the calls of a message for chat completions. Those whose arguments are no JSON are among them, as LangChain
 * sends them to OpenAI: a result follows each of them too.
 */
export function chatCalls(fields: JsonObject, leftOut: LeftOut): JsonObject[] {
  const valid = arrayOr(fields.tool_calls).map((call) => {
    const { id, name, args } = objectOr(call);
    return callOf(id, name, JSON.stringify(args ?? {}));
  });
  const invalid = arrayOr(fields.invalid_tool_calls).flatMap((call) => {
    const { id, name, args } = objectOr(call);
    if (textOrNull(name) !== null) return [callOf(id, name, textOrNull(args) ?? '')];
    leftOut.add('calls without a name');
    return [];
  });
  if (valid.length + invalid.length > 0) return [...valid, ...invalid];
  // Older versions keep calls as the provider made them, and nowhere else.
  const { tool_calls: made, function_call: alone } = objectOr(fields.additional_kwargs);
  const calls = arrayOr(made).map(objectOr);
  return calls.length > 0 ? calls : legacyCall(alone, leftOut);
}

/** The one call of a message in the form that OpenAI had before tool calls. It has no id. */
function legacyCall(value: unknown, leftOut: LeftOut): JsonObject[] {
  if (!isObject(value)) return [];
  const { name, arguments: args } = value;
  if (textOrNull(name) !== null) return [callOf(null, name, textOrNull(args) ?? '')];
  leftOut.add('calls without a name');
  return [];
}

const callOf = (id: unknown, name: unknown, args: string): JsonObject => ({
  id: textOrNull(id) ?? name,
  type: 'function',
  function: { name, arguments: args },
});

/** Some models give calls no id. Their calls and results are named after the tool: the service requires an id. */
export const resultIdOf = ({ tool_call_id: id, name }: JsonObject): unknown => textOrNull(id) ?? name ?? id;
