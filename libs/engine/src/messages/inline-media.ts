import { dataUrlHead } from './data-url-head.js';

/** The keys that hold base64 data in the providers' formats. Strings at other keys are texts, and are never examined. */
const dataKeys = new Set(['url', 'image_url', 'file_data', 'data', 'image', 'result']);
/** Shorter data stays in the body and counts as text: a blob would cost more than it saves. */
export const minMediaLength = 8192;

/** Base64 data that stands in a body as a string. */
export interface InlineMedia {
  /** The text before the data in the same string: the head of a data URL, or nothing. */
  prefix: string;
  data: string;
  /** The part of the media type after the slash, where a data URL says it. */
  subtype: string | null;
}

/**
 * The media that a string at one of the data keys holds; undefined when it holds none. Both what leaves a body to be
 * stored once, and what counts as media and not as text, follow from this.
 */
export function inlineMediaIn(text: string): InlineMedia | undefined {
  if (text.length < minMediaLength) return undefined;
  const found = dataUrlHead(text);
  const [, subtype] = /^[a-z]{1,20}\/([a-z0-9.+-]{1,60})$/i.exec(found?.mediaType ?? '') ?? [];
  const prefix = subtype === undefined ? '' : found!.head;
  const data = text.slice(prefix.length);
  return isCanonicalBase64(data) ? { prefix, data, subtype: subtype ?? null } : undefined;
}

/** Whether decoding and encoding returns the same text. */
export function isCanonicalBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.search(/[^A-Za-z0-9+/]/);
  if (end < 0) return true;
  // The bits of the last character that no byte takes are zero.
  if (end === text.length - 1) return /[AEIMQUYcgkosw048]=$/.test(text.slice(-2));
  return end === text.length - 2 && /[AQgw]==$/.test(text.slice(-3));
}

/**
 * The mark that replaces media in a stored body when their bytes are stored beside it. It holds their tokens, so that
 * counting a message needs none of the bytes.
 */
export const mediaMark = (sha256: string, tokens: number): string => `spillway-media:${sha256}:${tokens}`;

/** The tokens in a mark; null in one of an earlier version, which has none. Undefined for any other text. */
export function mediaMarkIn(text: string): { tokens: number | null } | undefined {
  const tokens = /^spillway-media:[0-9a-f]{64}(?::(\d{1,9}))?$/.exec(text);
  return tokens ? { tokens: tokens[1] === undefined ? null : Number(tokens[1]) } : undefined;
}

/** The value with each string at a data key replaced by what `replace` makes of it. */
export function replaceData(
  value: unknown,
  replace: (text: string, path: (string | number)[]) => string,
  path: (string | number)[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item, i) => replaceData(item, replace, [...path, i]));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, replaceData(item, replace, [...path, key])]),
    );
  }
  return typeof value === 'string' && dataKeys.has(String(path.at(-1))) ? replace(value, path) : value;
}
