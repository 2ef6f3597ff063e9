import type { Body } from '../../messages/message.js';
import { stringOf, without } from '../parts.js';

/** How OpenAI's ids of these items begin. It refuses others: "Expected an ID that begins with 'msg'." */
const prefixes: Record<string, string> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fc',
  custom_tool_call: 'ct',
  custom_tool_call_output: 'ct',
};

/** The form of a caller's own ids. Longer ones and other characters are a provider's, which may seal its ids. */
const ofCaller = /^[A-Za-z0-9._:@-]{1,200}$/;

/**
 * An item without the id that a caller gave it, which names its message and which no provider knows. The id of these
 * items may be left out; that of any other item stays.
 */
export function withoutCallersId(item: Body): Body {
  const prefix = prefixes[stringOf(item.type) || 'message'];
  const id = stringOf(item.id);
  return prefix !== undefined && ofCaller.test(id) && !id.startsWith(prefix) ? without(item, 'id') : item;
}
