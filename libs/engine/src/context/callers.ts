import { changedList, isBody, stringOf, without } from '../formats/parts.js';
import type { Body } from '../messages/message.js';

/**
 * A body whose calls and results do not name these programs of the provider as their caller. Providers refuse a caller
 * that is not among what they are sent. The same object when it names none.
 */
export function withoutCallers(body: Body, programs: ReadonlySet<string>): Body {
  const change = (block: unknown): unknown =>
    isBody(block) && isBody(block.caller) && programs.has(programOf(block.caller))
      ? without(block, 'caller')
      : block;
  const item = change(body) as Body;
  if (!Array.isArray(item.content)) return item;
  const content = changedList(item.content, change);
  return content === item.content ? item : { ...item, content };
}

/** Anthropic calls the id of the program `tool_id`, OpenAI `caller_id`. */
const programOf = (caller: Body): string => stringOf(caller.tool_id) || stringOf(caller.caller_id);
