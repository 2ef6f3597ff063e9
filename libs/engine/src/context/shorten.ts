import { formats } from '../formats/formats.js';
import { isBeside, placeholder, shortenedInput } from '../formats/parts.js';
import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import { textPart, type CallPart, type Message, type Part } from '../messages/message.js';
import { clipHead, clipTail } from '../tokens/clip.js';
import type { CountTokens } from '../tokens/counter.js';

/**
 * The message in about `tokens` at most. Its long texts keep head and tail around a marker that says what is missing.
 * A placeholder replaces media and parts that only their format knows. Role, ids and calls stay, so the message remains
 * valid in its position.
 */
export function shortenMessage(message: Message, tokens: number, counter: MessageCounter): Message {
  const size = countMessage(message, counter);
  if (size <= tokens) return message;
  // Each text gets its share of the space; a second pass corrects for markers and rounding.
  let share = tokens / size;
  for (let pass = 0; pass < 6; pass++) {
    const short = scaled(message, share, counter.text);
    const used = countMessage(short, counter);
    if (used <= tokens) return short;
    share *= (tokens / used) * 0.95;
  }
  return scaled(message, 0, counter.text);
}

function scaled(message: Message, share: number, count: CountTokens): Message {
  // Approvals of the AI SDK stand among results, where no text may be.
  const isApproval = (part: Part): boolean => message.role === 'tool' && part.type === 'other';
  const parts = message.parts.flatMap((part) =>
    isApproval(part) ? [part] : scaledParts([part], share, count),
  );
  return { ...message, parts: parts.length > 0 ? parts : [textPart('[content not shown]')] };
}

const scaledParts = (parts: readonly Part[], share: number, count: CountTokens): Part[] =>
  parts.flatMap((part): Part[] => {
    switch (part.type) {
      case 'text':
      case 'refusal': {
        const text = shortenText(part.text, share, count);
        return [text === part.text ? part : { ...part, text, native: undefined }];
      }
      case 'call':
        return [shortenCall(part, share, count)];
      case 'result':
        return [{ ...part, changed: true, parts: scaledParts(part.parts, share, count) }];
      case 'media':
        return [textPart(placeholder(part.kind))];
      case 'other':
        return isBeside(part) ? [] : [textPart(placeholder(part.label))];
      case 'reasoning':
        return [];
    }
  });

function shortenCall(call: CallPart, share: number, count: CountTokens): CallPart {
  if (count(call.input) <= 32) return call;
  const shorten = (text: string): string => shortenText(text, share, count);
  const text = shorten(call.input);
  const input = call.custom ? text : JSON.stringify(shortenedInput(text));
  const { native } = call;
  if (!native) return { ...call, input };
  return {
    ...call,
    input,
    native: { ...native, raw: formats[native.format].shorterCall(native.raw, shorten) },
  };
}

/** Head and tail of a text with the marker between them; short texts stay unchanged. */
export function shortenText(text: string, share: number, count: CountTokens): string {
  const size = count(text);
  const room = Math.floor(size * share) - 12;
  if (size <= 32 || room >= size) return text;
  const head = clipHead(text, Math.ceil(room * 0.6), count);
  const tail = clipTail(text, Math.floor(room * 0.4), count);
  return `${head}\n[... about ${size - Math.max(0, room)} tokens not shown ...]\n${tail}`;
}
