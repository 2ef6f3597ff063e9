import { formats, readMessage, type Stored } from './formats.js';
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
  // A kind of item that is invalid without its content.
  const plain: Message = { role: message.role, name: null, parts: [textPart(erasedText)] };
  return format.write([plain]).bodies[0]!.body;
}

function tie(part: Part): Part[] {
  if (part.type === 'call') {
    const { type, id, name, custom } = part;
    return [{ type, id, name, custom, input: custom ? '' : '{}' }];
  }
  if (part.type !== 'result') return [];
  const { type, callId, name, isError } = part;
  return [{ type, callId, name, isError, parts: [textPart(erasedText)], changed: true }];
}
