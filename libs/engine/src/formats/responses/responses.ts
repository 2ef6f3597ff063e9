import type { Body } from '../../messages/message.js';
import type { Format, Shorten } from '../format.js';
import { changedList, emptyMessage, isBody, shortenedInput, stringOf, without } from '../parts.js';
import { isProviderResult, responsesTexts, withProviderText } from '../provider-results.js';
import { callIdField, takesText, textAsOutput } from './outputs.js';
import { withoutCallersId } from './item-id.js';
import { isCallItem, isResultItem, readResponses } from './read.js';
import { writeResponses } from './write.js';

/**
 * Items of the Responses API: https://platform.openai.com/docs/api-reference/responses. One item is one message here,
 * so a step of a model has several: its reasoning, its text, each of its calls.
 */
export const responses: Format = {
  systemBeside: false,
  laterSystem: 'anywhere',
  userFirst: false,
  read: readResponses,
  write: writeResponses,
  resultContents: (body) => [isProviderResult(responsesTexts, body) ? body : body.output],
  withResultContents: (body, contents) => {
    if (!contents.has(0)) return body;
    const output = contents.get(0);
    return isProviderResult(responsesTexts, body) ? (output as Body) : { ...body, output };
  },
  asResultContent: (text, inPlaceOf) =>
    withProviderText(responsesTexts, inPlaceOf, text) ?? textAsOutput(text, inPlaceOf),
  mend,
  shorterCall: (call, shorten) => {
    const { arguments: args, input } = call;
    if (typeof args === 'string')
      return { ...call, arguments: JSON.stringify(shortenedInput(shorten(args))) };
    if (typeof input === 'string') return { ...call, input: shorten(input) };
    // The result of a built-in tool answers a call of the same type: its fields stay, with shorter texts.
    const { type, id, call_id: callId, ...rest } = call;
    return {
      type,
      ...(id === undefined ? {} : { id }),
      call_id: callId,
      ...(shorterTexts(rest, shorten) as Body),
    };
  },
  takesText,
  uniqueCallIds: 'context',
  allowedCallId: (id) => id,
  withCallIds: (item, ids) => {
    if (isResultItem(item)) {
      const field = callIdField(item);
      return { ...item, [field]: ids.result(stringOf(item[field])) };
    }
    return isCallItem(item) ? { ...item, call_id: ids.call(stringOf(item.call_id)) } : item;
  },
};

/**
 * Providers refuse an assistant message without content; its id is removed with the content. They refuse the fields in
 * which OpenAI's SDK keeps what it parsed, too, and ids that they did not make.
 */
function mend(posted: Body): Body {
  const item = withoutCallersId(posted);
  if (item.type === 'function_call') return without(item, 'parsed_arguments');
  const { content } = item;
  if (item.role !== 'assistant' || !Array.isArray(content)) return item;
  if (content.length === 0) return { role: 'assistant', content: emptyMessage };
  const mended = changedList(content, (part) => (isBody(part) ? without(part, 'parsed') : part));
  return mended === content ? item : { ...item, content: mended };
}

function shorterTexts(value: unknown, shorten: Shorten): unknown {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.map((one) => shorterTexts(one, shorten));
  if (!isBody(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorterTexts(one, shorten)]));
}
