import { inlineMediaIn, mediaMarkIn } from '../../messages/inline-media.js';
import type { MediaPart, Part } from '../../messages/message.js';
import { pdfPages } from './pdf-pages.js';
import { playTime } from './play-time.js';

/**
 * OpenAI bills a large image at 765 tokens, Anthropic at about 1,600; an upper bound serves both. Media that cannot be
 * looked into (an address, the id of a file, an unknown type) count as one image.
 */
export const mediaTokens = 1600;

/** Anthropic sends a page of a PDF as its picture and its text, and took 1,600 to 2,500 for one. Others take less. */
const tokensPerPage = 3000;
/** Gemini's rates. Others take less, or take neither. */
const tokensPerSecond = { audio: 32, video: 263 };
const bytesPerTextToken = 3;
/** More than any window holds: a header that claims a million pages makes no larger number. */
const maxTokens = 4_000_000;

/** Tokens of media. What it holds is read from its bytes: the type beside them is often missing or wrong. */
export function mediaTokensOf({ kind, source }: MediaPart): number {
  if (kind === 'image' || 'fileId' in source) return mediaTokens;
  // The mark of a data URL stands where an address may.
  if ('url' in source) return mediaMarkIn(source.url)?.tokens ?? mediaTokens;
  return tokensOfData(source.data);
}

export const mediaTokensIn = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + (part.type === 'media' ? mediaTokensOf(part) : 0), 0);

/** Tokens of the media that a string at a data key holds: base64, a data URL, or the mark of data stored elsewhere. */
export function tokensOfData(text: string): number {
  const mark = mediaMarkIn(text);
  if (mark) return mark.tokens ?? mediaTokens;
  return tokensOfBytes(Buffer.from(inlineMediaIn(text)?.data ?? text, 'base64'));
}

/** Tokens of media by their bytes. */
export function tokensOfBytes(bytes: Buffer): number {
  return Math.min(maxTokens, Math.ceil(estimate(bytes)));
}

function estimate(bytes: Buffer): number {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return pdfPages(bytes) * tokensPerPage;
  const played = playTime(bytes);
  if (played) return Math.max(1, played.seconds) * tokensPerSecond[played.kind];
  return isText(bytes) ? bytes.length / bytesPerTextToken : mediaTokens;
}

/** Whether the start holds no character that texts do not have. */
const isText = (bytes: Buffer): boolean =>
  bytes.length > 0 && bytes.subarray(0, 1024).every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
