import type { Body } from '../../messages/message.js';
import type { Format } from '../format.js';
import { isBody, markedAs, shortenedInput, stringOf } from '../parts.js';
import { mendOpenAI } from './mend.js';
import { readOpenAI } from './read.js';
import { writeOpenAI } from './write.js';

/** Chat completions: https://platform.openai.com/docs/api-reference/chat. Unknown fields are kept and counted. */
export const openai: Format = {
  systemBeside: false,
  laterSystem: 'anywhere',
  userFirst: false,
  read: readOpenAI,
  write: writeOpenAI,
  resultContents: (body) => [body.content],
  withResultContents: (body, contents) => (contents.has(0) ? { ...body, content: contents.get(0) } : body),
  asResultContent: markedAs,
  mend: mendOpenAI,
  shorterCall: (call, shorten) => {
    const { function: of, custom } = call;
    if (isBody(custom)) return { ...call, custom: { ...custom, input: shorten(stringOf(custom.input)) } };
    const input = shortenedInput(shorten(isBody(of) ? stringOf(of.arguments) : ''));
    return { ...call, function: { ...(of as Body), arguments: JSON.stringify(input) } };
  },
  uniqueCallIds: 'step',
  allowedCallId: (id) => id,
  withCallIds: (body, ids) => {
    if (body.role === 'tool') return { ...body, tool_call_id: ids.result(stringOf(body.tool_call_id)) };
    const { tool_calls: calls } = body;
    if (!Array.isArray(calls)) return body;
    const renamed = calls.map((call: unknown) =>
      isBody(call) ? { ...call, id: ids.call(stringOf(call.id)) } : call,
    );
    return { ...body, tool_calls: renamed };
  },
};
