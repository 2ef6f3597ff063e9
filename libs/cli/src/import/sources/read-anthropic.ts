import { LeftOut, type ReadSession } from '../imported-session.js';
import { idFromPosition, idFromSource } from './message-id.js';
import { takeTime } from './message-time.js';
import { arrayOr, isObject, objectOr, textOrNull } from './json-value.js';
import { refuse, type SourceFile } from './source-file.js';

/*
 * Messages of Anthropic's Messages API, documented at docs.anthropic.com/en/api/messages and typed as `MessageParam` in
 * the npm package `@anthropic-ai/sdk`: a JSON list, JSON lines, or an object with `messages` and `system`.
 */

const ownBlock = /^((\w+_)?tool_(use|result)|thinking|redacted_thinking|document|search_result)$/;
const roles = ['user', 'assistant', 'system'];

const isOwnBlock = (block: unknown): boolean =>
  isObject(block) &&
  (ownBlock.test(String(block.type)) || (block.type === 'image' && isObject(block.source)));

export const isAnthropic = ({ entries, document }: SourceFile): boolean =>
  entries.length > 0 &&
  entries.every(({ value }) => roles.includes(String(value.role))) &&
  (document?.system !== undefined || entries.some(({ value }) => arrayOr(value.content).some(isOwnBlock)));

export function readAnthropic({ name, entries, document }: SourceFile): ReadSession {
  const leftOut = new LeftOut();
  const messages = entries.map(({ value, line }, i) => {
    const { role, content, id: own } = value;
    if (typeof role !== 'string' || !roles.includes(role))
      return refuse(
        name,
        line,
        `The role is ${JSON.stringify(role)}. It must be one of ${roles.join(', ')}.`,
      );
    if (typeof content !== 'string' && !Array.isArray(content))
      return refuse(name, line, 'The content must be a text or a list of blocks.');
    const { time, message: untimed } = takeTime(value);
    // An answer of the API has fields that a request does not take: type, model, usage, stop_reason.
    leftOut.add('fields of answers', Object.keys(untimed).length - (own === undefined ? 2 : 3));
    const message = { role, content };
    return {
      id: textOrNull(own) ? idFromSource(String(own)) : idFromPosition(i, message),
      message,
      line,
      at: time,
    };
  });
  return {
    format: 'anthropic',
    sessionId: textOrNull(document?.id),
    model: textOrNull(document?.model),
    system: systemOf(document?.system),
    messages,
    otherIds: new Set(),
    leftOut,
  };
}

/** A system prompt is a text or a list of text blocks. */
function systemOf(system: unknown): string | null {
  if (!Array.isArray(system)) return textOrNull(system);
  const texts = (system as unknown[]).map((block) => textOrNull(objectOr(block).text) ?? '');
  return textOrNull(texts.join('\n\n'));
}
