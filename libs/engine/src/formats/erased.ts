import { formats, readMessage, type Stored } from './formats.js';
import type { Role } from '../messages/role.js';
import { textPart, type Body, type Message, type Part } from '../messages/message.js';

const erasedText = '[This message was erased.]';

/**
 * The placeholder of an erased message: its role and the ids of its calls and results, so that every context around it
 * stays valid. Without any of its content.
 */
export function erasedBody(stored: Stored): Body {
  const message = readMessage(stored);
  const ties = message.parts.flatMap(tie);
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

function tie(part: Part): Part[] {
  if (part.type === 'call') {
    const { type, id, name, custom } = part;
    return [{ type, id, name, custom, input: custom ? '' : '{}' }];
  }
  if (part.type === 'other' && part.native && approvals.has(part.label)) {
    const { reason: _, ...raw } = part.native.raw;
    return [{ ...part, value: raw, native: { ...part.native, raw } }];
  }
  if (part.type !== 'result') return [];
  const { type, callId, name, isError } = part;
  return [{ type, callId, name, isError, parts: [textPart(erasedText)], changed: true }];
}
