import type { Role } from '../../messages/role.js';
import type { Body, MediaPart, Message, Part } from '../../messages/message.js';
import { isBody, isMarkedError, readContent, stringOf } from '../parts.js';
import { providerResult, responsesTexts } from '../provider-results.js';
import { callIdField, readOutput } from './outputs.js';
import { readPart } from './read-part.js';

/**
 * Whether the caller made the item, as the result of a call. OpenAI has the output of a program that it ran, and of a
 * search for tools, which answers no call, among what the model says.
 */
export const isResultItem = (item: Body): boolean =>
  stringOf(item.type).endsWith('_output') &&
  item.type !== 'program_output' &&
  typeof item[callIdField(item)] === 'string';

export const isCallItem = ({ type, call_id: callId }: Body): boolean =>
  stringOf(type).endsWith('_call') && typeof callId === 'string';

export function readResponses(item: Body): Message {
  const type = stringOf(item.type) || 'message';
  if (type === 'message')
    return { role: item.role as Role, name: null, parts: readContent(item.content, readPart) };
  return { role: isResultItem(item) ? 'tool' : 'assistant', name: null, parts: [readItem(type, item)] };
}

function readItem(type: string, item: Body): Part {
  const native = { format: 'responses' as const, raw: item };
  if (type === 'reasoning') return { type: 'reasoning', text: reasoningText(item), native };
  if (isResultItem(item)) {
    const parts = readOutput(item.output);
    const callId = stringOf(item[callIdField(item)]);
    return { type: 'result', callId, name: null, parts, isError: isMarkedError(parts), native };
  }
  if (isCallItem(item)) return { ...readCall(type, item), native };
  // Calls that the provider executes itself (web search, files, code) have no result item.
  const of = { callId: stringOf(item.id), name: stringOf(item.name) || type.replace(/_call$/, '') };
  const result = providerResult(responsesTexts, item, of);
  return {
    type: 'other',
    label: type,
    value: item,
    native,
    result,
    ...(type === 'image_generation_call' ? generatedImage(item) : {}),
    // A program waits for the tools of the caller.
    ...(type === 'program' ? { runs: stringOf(item.call_id) } : {}),
    ...(type === 'program_output' ? { ran: stringOf(item.call_id) } : {}),
  };
}

/** A call that failed or still runs has made no image. */
function generatedImage({ result, output_format: subtype }: Body): { image?: MediaPart } {
  if (typeof result !== 'string' || result === '') return {};
  const mediaType = `image/${stringOf(subtype) || 'png'}`;
  return { image: { type: 'media', kind: 'image', source: { data: result }, mediaType, name: null } };
}

/** Function and custom tool calls have a name; a built-in tool (shell, computer, apply_patch) is called by its type. */
function readCall(type: string, item: Body) {
  const {
    call_id: id,
    name,
    arguments: args,
    input,
    id: _item,
    type: _type,
    status: _status,
    ...rest
  } = item;
  const argumentText =
    typeof args === 'string' ? args : typeof input === 'string' ? input : JSON.stringify(rest);
  return {
    type: 'call' as const,
    id: stringOf(id),
    name: stringOf(name) || type.replace(/_call$/, ''),
    input: argumentText,
    custom: type === 'custom_tool_call',
  };
}

/** A model can only be shown summary and content; encrypted parts count as text. */
const reasoningText = (item: Body): string =>
  [item.summary, item.content]
    .flatMap((list) => (Array.isArray(list) ? list.filter(isBody) : []))
    .map((part) => stringOf(part.text))
    .concat(stringOf(item.encrypted_content))
    .filter((text) => text !== '')
    .join('\n');
