import { LeftOut, type ReadSession } from '../imported-session.js';
import { isObject, arrayOr, textOrNull } from './json-value.js';
import { idOfItem } from './message-id.js';
import { takeTime } from './message-time.js';
import { refuse, type SourceFile } from './source-file.js';

/*
 * Items of OpenAI's Responses API, documented at platform.openai.com/docs/api-reference/responses/create and typed as
 * `ResponseInputItem` in the npm package `openai`: a JSON list, JSON lines, or an object with `input` and `instructions`.
 */

const ownItems = /^(reasoning|item_reference|compaction|[a-z_]+_call|[a-z_]+_call_output)$/;
const ownParts = new Set(['input_text', 'input_image', 'input_file', 'output_text']);

const isOwn = ({ value }: SourceFile['entries'][number]): boolean =>
  (typeof value.type === 'string' && ownItems.test(value.type)) ||
  arrayOr(value.content).some((part) => isObject(part) && ownParts.has(String(part.type)));

export const isResponses = ({ entries, document }: SourceFile): boolean =>
  entries.length > 0 &&
  entries.every(({ value }) => typeof value.type === 'string' || typeof value.role === 'string') &&
  (Array.isArray(document?.input) || entries.some(isOwn));

export function readResponses({ name, entries, document }: SourceFile): ReadSession {
  const messages = entries.map(({ value, line }, i) => {
    if (typeof value.type !== 'string' && typeof value.role !== 'string')
      return refuse(name, line, 'An item needs a type, or a role.');
    const own = textOrNull(value.id);
    const { id: _, ...timed } = value;
    const { time, message } = takeTime(own === null ? timed : value);
    return { ...idOfItem(own, i, timed), message, line, at: time };
  });
  return {
    format: 'responses',
    sessionId: textOrNull(document?.id),
    model: textOrNull(document?.model),
    system: textOrNull(document?.instructions),
    messages,
    otherIds: new Set(),
    leftOut: new LeftOut(),
  };
}
