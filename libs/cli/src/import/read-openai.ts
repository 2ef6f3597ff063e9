import { LeftOut, type ImportedSession } from './imported-session.js';
import { idFromPosition, idFromSource } from './message-id.js';
import { textOrNull } from './json-value.js';
import { refuse, type SourceFile } from './source-file.js';

/*
 * Messages of OpenAI's Chat Completions, documented at platform.openai.com/docs/api-reference/chat/create and typed as
 * `ChatCompletionMessageParam` in the npm package `openai`: a JSON list, an object with `messages`, or JSON lines.
 */

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

export const isOpenai = ({ entries }: SourceFile): boolean =>
  entries.length > 0 && entries.every(({ value }) => typeof value.role === 'string' && 'content' in value);

export function readOpenai({ name, entries, document }: SourceFile): ImportedSession {
  const messages = entries.map(({ value, line }, i) => {
    if (typeof value.role !== 'string' || !roles.includes(value.role))
      return refuse(
        name,
        line,
        `The role is ${JSON.stringify(value.role)}. It must be one of ${roles.join(', ')}.`,
      );
    if (value.role === 'tool' && textOrNull(value.tool_call_id) === null)
      return refuse(name, line, 'A message of the role tool needs the tool_call_id of its call.');
    const { id: own, ...message } = value;
    const id = typeof own === 'string' ? idFromSource(own) : idFromPosition(i, message);
    return { id, message, line, at: null };
  });
  return {
    format: 'openai',
    sessionId: textOrNull(document?.id),
    model: textOrNull(document?.model),
    system: null,
    messages,
    otherIds: new Set(),
    leftOut: new LeftOut(),
  };
}
