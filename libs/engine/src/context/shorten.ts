import { formats } from '../formats/formats.js';
import { isBeside, placeholder, shortenedInput } from '../formats/parts.js';
import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import { textPart, type CallPart, type Message, type Part } from '../messages/message.js';
import { clipHead, clipTail } from '../tokens/clip.js';
import type { CountTokens } from '../tokens/counter.js';

/** A text of so few tokens stays whole: little would be left of it beside the marker. */
const minShortenedText = 32;
/** Tokens of the marker in a shortened text. */
const markerTokens = 12;
/** The start says what a text is, so it gets more of the space than the end. */
const headShare = 0.6;
const tailShare = 0.4;
/** Each pass aims at a little less than the one before, because markers and rounding add to what was calculated. */
const maxPasses = 6;
const lessEachPass = 0.95;

/**
 * The message in about `tokens` at most. Its long texts keep head and tail around a marker that says what is missing.
 * Where it has too many short ones for that, texts that stand side by side are shortened as one, and then the oldest
 * give way to a marker. A placeholder replaces media and parts that only their format knows. Role, ids and calls stay,
 * so the message remains valid in its position.
 */
export function shortenMessage(message: Message, tokens: number, counter: MessageCounter): Message {
  const size = countMessage(message, counter);
  if (size <= tokens) return message;
  const readable = withPlaceholders(message);
  const short = scaledTo(readable, tokens, size, counter);
  if (countMessage(short, counter) <= tokens) return short;
  const joined = { ...readable, parts: joinTexts(readable.parts) };
  const joinedShort = scaledTo(joined, tokens, countMessage(joined, counter), counter);
  return withoutTexts(joinedShort, countMessage(joinedShort, counter) - tokens, counter.text);
}

function withPlaceholders(message: Message): Message {
  // Approvals of the AI SDK stand among results, where no text may be.
  const isApproval = (part: Part): boolean => message.role === 'tool' && part.type === 'other';
  const parts = message.parts.flatMap((part) => (isApproval(part) ? [part] : readableParts([part])));
  return { ...message, parts: parts.length > 0 ? parts : [textPart('[content not shown]')] };
}

const readableParts = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part): Part[] => {
    switch (part.type) {
      case 'result':
        return [{ ...part, changed: true, parts: readableParts(part.parts) }];
      case 'media':
        return [textPart(placeholder(part.kind))];
      case 'other':
        if (part.parts) return readableParts(part.parts);
        return isBeside(part) ? [] : [textPart(placeholder(part.label))];
      case 'reasoning':
        return [];
      case 'text':
      case 'refusal':
      case 'call':
        return [part];
    }
  });

/** The message with its long texts in about `tokens`, or in as few as they take. `size` is what it takes whole. */
function scaledTo(message: Message, tokens: number, size: number, counter: MessageCounter): Message {
  // Each text gets its share of the space; further passes correct for markers and rounding.
  let share = tokens / size;
  for (let pass = 0; pass < maxPasses; pass++) {
    const short = scaled(message, share, counter.text);
    const used = countMessage(short, counter);
    if (used <= tokens) return short;
    share *= (tokens / used) * lessEachPass;
  }
  return scaled(message, 0, counter.text);
}

const scaled = (message: Message, share: number, count: CountTokens): Message => ({
  ...message,
  parts: changedTexts(message.parts, {
    text: (text) => shortenText(text, share, count),
    call: (call) => shortenCall(call, share, count),
  }),
});

interface TextChange {
  text: (text: string) => string;
  call: (call: CallPart) => CallPart;
}

/** The parts with other texts and calls, those in results too. */
const changedTexts = (parts: readonly Part[], change: TextChange): Part[] =>
  parts.map((part): Part => {
    switch (part.type) {
      case 'text':
      case 'refusal': {
        const text = change.text(part.text);
        return text === part.text ? part : { ...part, text, native: undefined };
      }
      case 'call':
        return change.call(part);
      case 'result':
        return { ...part, changed: true, parts: changedTexts(part.parts, change) };
      case 'media':
      case 'other':
      case 'reasoning':
        return part;
    }
  });

const shortenCall = (call: CallPart, share: number, count: CountTokens): CallPart =>
  count(call.input) <= minShortenedText ? call : callWith(call, (text) => shortenText(text, share, count));

function callWith(call: CallPart, shorten: (text: string) => string): CallPart {
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

/** Texts that stand side by side as one, which can be shortened where each of them is too short for that. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  let texts: string[] = [];
  const end = (): void => {
    if (texts.length > 0) joined.push(textPart(texts.join('\n')));
    texts = [];
  };
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text);
    else {
      end();
      joined.push(part.type === 'result' ? { ...part, parts: joinTexts(part.parts) } : part);
    }
  }
  end();
  return joined;
}

const notShown = '[not shown]';

/** The message with a marker in place of texts and inputs, from its first on, until `excess` tokens are saved. */
function withoutTexts(message: Message, excess: number, count: CountTokens): Message {
  let left = excess;
  const marker = count(notShown);
  const shorten = (text: string): string => (count(text) > marker ? notShown : text);
  return {
    ...message,
    parts: changedTexts(message.parts, {
      text: (text) => {
        if (left <= 0) return text;
        const shorter = shorten(text);
        left -= count(text) - count(shorter);
        return shorter;
      },
      call: (call) => {
        if (left <= 0) return call;
        const shorter = callWith(call, shorten);
        const saved = count(call.input) - count(shorter.input);
        if (saved <= 0) return call;
        left -= saved;
        return shorter;
      },
    }),
  };
}

/** Head and tail of a text with the marker between them; short texts stay unchanged. */
export function shortenText(text: string, share: number, count: CountTokens): string {
  const size = count(text);
  const room = Math.floor(size * share) - markerTokens;
  if (size <= minShortenedText || room >= size) return text;
  const head = clipHead(text, Math.ceil(room * headShare), count);
  const tail = clipTail(text, Math.floor(room * tailShare), count);
  return `${head}\n[... about ${size - Math.max(0, room)} tokens not shown ...]\n${tail}`;
}
