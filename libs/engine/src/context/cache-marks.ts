import type { FormatName } from '../messages/format-name.js';
import type { Body } from '../messages/message.js';
import { isBody } from '../formats/parts.js';

/**
 * Anthropic's mark of a prefix to cache, which gateways take in OpenAI's chat completions too. Agents put it at the end
 * of the conversation, so a thread that is posted with it has one in each turn.
 */
const mark = 'cache_control';
const formatsWithMarks: ReadonlySet<FormatName> = new Set(['anthropic', 'openai']);

/** A request may have four, or it is refused. Two are left for the system prompt and the tools. */
export const maxMarks = 2;

/**
 * The messages of a context with the newest marks that they were posted with. Where a prefix was read from the cache
 * once it is found again without a mark, so older ones are of no use.
 */
export function withNewestMarks(messages: Body[], format: FormatName, max = maxMarks): Body[] {
  if (!formatsWithMarks.has(format)) return messages;
  let left = max;
  const keep = (body: Body): Body => {
    const { content } = body;
    if (!Array.isArray(content)) return body;
    const kept = content.toReversed().map(keepIn).toReversed();
    return kept.every((part, i) => part === content[i]) ? body : { ...body, content: kept };
  };
  // From the end, where the mark of a block stands behind those of its content.
  const keepIn = (part: unknown): unknown => {
    if (!isBody(part)) return part;
    return keep(isMarked(part) && left-- <= 0 ? withoutMark(part) : part);
  };
  return messages
    .toReversed()
    .map((body) => keepIn(body) as Body)
    .toReversed();
}

/** How many messages there are from the oldest of the `max` newest marks on; 0 where none has a mark. */
export function messagesFromMarks(messages: readonly Body[], format: FormatName, max: number): number {
  if (!formatsWithMarks.has(format)) return 0;
  let marks = 0;
  let oldest = messages.length;
  for (let i = messages.length - 1; i >= 0 && marks < max; i--) {
    const found = marksIn(messages[i]);
    if (found > 0) oldest = i;
    marks += found;
  }
  return messages.length - oldest;
}

/** How many marks there are in a message, or in a part of one. */
export function marksIn(part: unknown): number {
  if (!isBody(part)) return 0;
  const { content } = part;
  const own = isMarked(part) ? 1 : 0;
  return Array.isArray(content) ? content.reduce<number>((sum, one) => sum + marksIn(one), own) : own;
}

const isMarked = (part: Body): boolean => part[mark] !== undefined && part[mark] !== null;

function withoutMark({ [mark]: _, ...rest }: Body): Body {
  return rest;
}
