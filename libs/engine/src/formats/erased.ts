import { formats, readMessage, type Stored } from './formats.js';
import { isBody } from './parts.js';
import { erasedItem } from './responses/erased-item.js';
import type { Role } from '../messages/role.js';
import {
  providerRunsOf,
  textPart,
  type Body,
  type Message,
  type Native,
  type OtherPart,
  type Part,
} from '../messages/message.js';

export const erasedText = '[This message was erased.]';

/**
 * The placeholder of an erased message: its role and the ids of its calls and results, so that every context around it
 * stays valid. Without any of its content.
 */
export function erasedBody(stored: Stored): Body {
  const message = readMessage(stored);
  const item = stored.format === 'responses' ? erasedItem(stored.body, erasedText) : undefined;
  if (item) return item;
  if (message.role === 'system') return { role: 'system', content: erasedText };
  const { runs, ran } = providerRunsOf(message);
  const isHalf = (part: OtherPart) =>
    (part.runs !== undefined && runs.includes(part.runs)) ||
    (part.ran !== undefined && ran.includes(part.ran));
  const ties = message.parts.flatMap((part) => tie(part, isHalf));
  const parts = ties.length > 0 ? ties : [textPart(erasedText)];
  const format = formats[stored.format];
  const [body, ...more] = format.write([{ ...message, name: null, parts }]).bodies;
  if (body && more.length === 0) return body.body;
  // A kind of item that is invalid without its content; without a result, so is a message of a tool.
  const plain = (role: Role): Message => ({ role, name: null, parts: [textPart(erasedText)] });
  const [of] = format.write([plain(message.role)]).bodies;
  return (of ?? format.write([plain('user')]).bodies[0]!).body;
}

/** Ask whether a call may be made, and answer that (AI SDK): an answer without its question is invalid. */
const approvals = new Set(['tool-approval-request', 'tool-approval-response']);

/** What of a part other parts refer to. `isHalf`: whether the other half of what a provider ran is in another message. */
function tie(part: Part, isHalf: (part: OtherPart) => boolean): Part[] {
  if (part.type === 'call') {
    const { type, id, name, custom, native } = part;
    const empty: Part = { type, id, name, custom, input: custom ? '' : '{}' };
    const isOfProgram = native?.format === 'anthropic' && isBody(native.raw.caller);
    return [isOfProgram ? { ...empty, native: emptiedCall(native) } : empty];
  }
  if (part.type === 'other' && part.native && approvals.has(part.label)) {
    const { reason: _, ...raw } = part.native.raw;
    return [{ ...part, value: raw, native: { ...part.native, raw } }];
  }
  if (part.type === 'other' && part.native && isHalf(part)) {
    const native = part.runs === undefined ? emptiedResult(part.native) : emptiedCall(part.native);
    return [{ type: 'other', label: part.label, value: native.raw, native }];
  }
  if (part.type !== 'result') return [];
  const { type, callId, name, isError } = part;
  return [{ type, callId, name, isError, parts: [textPart(erasedText)], changed: true }];
}

/** Where Anthropic and the AI SDK say what a call or a result is, and who made the call. */
const tieFields = new Set([
  ...['type', 'id', 'name', 'server_name', 'caller', 'tool_use_id'],
  ...['toolCallId', 'toolName', 'providerExecuted', 'providerOptions'],
]);

const tiesOf = (raw: Body): Body =>
  Object.fromEntries(Object.entries(raw).filter(([key]) => tieFields.has(key)));

const emptiedCall = ({ format, raw }: Native): Native => ({ format, raw: { ...tiesOf(raw), input: {} } });

/** A result of the provider's own tool is an error: the API checks the shape of any other. That of MCP has texts. */
function emptiedResult({ format, raw }: Native): Native {
  const texts = [{ type: 'text', text: erasedText }];
  const ties = tiesOf(raw);
  if (format === 'ai-sdk') {
    const value = isBody(raw.output) ? raw.output.value : undefined;
    const areTexts = Array.isArray(value) && value.every((one) => isBody(one) && one.type === 'text');
    const output = areTexts
      ? { type: 'json', value: texts }
      : { type: 'error-json', value: { errorCode: 'unavailable' } };
    return { format, raw: { ...ties, output } };
  }
  const error = { type: `${String(raw.type)}_error`, error_code: 'unavailable' };
  return { format, raw: { ...ties, content: raw.type === 'mcp_tool_result' ? texts : error } };
}
