import { LeftOut, type ReadSession } from '../imported-session.js';
import { textOrNull, type JsonObject } from './json-value.js';
import { listedMessages, wrongContent } from './listed-messages.js';
import type { SourceFile } from './source-file.js';

/*
 * Messages of OpenAI's Chat Completions, documented at platform.openai.com/docs/api-reference/chat/create and typed as
 * `ChatCompletionMessageParam` in the npm package `openai`: a JSON list, an object with `messages`, or JSON lines.
 */

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

export const isOpenai = ({ entries }: SourceFile): boolean =>
  entries.length > 0 && entries.every(({ value }) => typeof value.role === 'string' && hasContent(value));

/** Answers are often written without the fields that are null. */
const hasContent = (message: JsonObject): boolean =>
  'content' in message ||
  (message.role === 'assistant' && ['tool_calls', 'refusal', 'audio'].some((field) => field in message));

export function readOpenai(file: SourceFile): ReadSession {
  const { document } = file;
  return {
    format: 'openai',
    sessionId: textOrNull(document?.id),
    model: textOrNull(document?.model),
    system: null,
    messages: listedMessages(file, roles, (message) => {
      const { role, content, tool_call_id: call } = message;
      if (role === 'tool' && textOrNull(call) === null)
        return 'A message of the role tool needs the tool_call_id of its call.';
      const isEmpty = role === 'assistant' && (content === null || content === undefined);
      return isEmpty ? null : wrongContent(message);
    }),
    otherIds: new Set(),
    leftOut: new LeftOut(),
  };
}
