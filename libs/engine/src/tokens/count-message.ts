import { inlineMediaIn, mediaMarkIn, replaceData } from '../messages/inline-media.js';
import { everyPart, type Message, type OtherPart } from '../messages/message.js';
import type { CountTokens } from './counter.js';
import { mediaTokens, mediaTokensOf, tokensOfData } from './media/media-tokens.js';

/** How messages are counted: texts with a tokenizer or an estimate, plus the chat template's tokens per message. */
export interface MessageCounter {
  text: CountTokens;
  /** Chronos counts 4, OpenAI's models take 3 to 4. */
  perMessage: number;
}

/** Every text of a message that a model is sent, so that callers may count them one by one. */
export const countableTexts = (message: Message): string[] =>
  [
    message.name ?? '',
    ...everyPart(message).flatMap((part) => {
      switch (part.type) {
        case 'text':
        case 'refusal':
        case 'reasoning':
          return [part.text];
        case 'call':
          return [part.name, part.input];
        case 'result':
          return [part.name ?? ''];
        case 'other':
          if (part.parts) return [];
          return [JSON.stringify(withoutMedia(part).value) ?? ''];
        case 'media':
          return [part.name ?? ''];
      }
    }),
  ].filter((text) => text !== '');

/**
 * Tokens of a message besides its texts. A message with several tool results counts as several, because a format with
 * one message per result may be requested.
 */
export function fixedTokens(message: Message, perMessage: number): number {
  let results = 0;
  let others = 0;
  let media = 0;
  for (const part of everyPart(message)) {
    if (part.type === 'media') media += mediaTokensOf(part);
    if (part.type === 'other' && !part.parts) media += withoutMedia(part).tokens;
  }
  for (const part of message.parts) {
    if (part.type === 'result') results++;
    else others++;
  }
  const messages = Math.max(1, results + (others > 0 ? 1 : 0));
  return messages * perMessage + media;
}

/**
 * The JSON of a part that only its format knows, without media, and the tokens of those media: base64 is no text that
 * a model reads. Data that are stored beside the message, with a mark in their place, count the same.
 */
function withoutMedia({ value, image }: OtherPart): { value: unknown; tokens: number } {
  const own = image && 'data' in image.source ? image.source.data : undefined;
  let tokens = 0;
  const counted = replaceData(value, (text) => {
    if (text === own) tokens += mediaTokens;
    else if (mediaMarkIn(text) || inlineMediaIn(text)) tokens += tokensOfData(text);
    else return text;
    return '';
  });
  return { value: tokens > 0 ? counted : value, tokens };
}

/** Tokens of one message; an estimate for media, and unknown fields are counted as JSON. */
export const countMessage = (message: Message, counter: MessageCounter): number =>
  countableTexts(message).reduce(
    (sum, text) => sum + counter.text(text),
    fixedTokens(message, counter.perMessage),
  );
