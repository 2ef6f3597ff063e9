import { dataUrlHead } from '../messages/data-url-head.js';
import type { MediaPart } from '../messages/message.js';

/** `data:image/png;base64,...` as its type and data; any other address as a URL. Parameters, such as a name, are left out. */
export function sourceOfUrl(url: string): Pick<MediaPart, 'source' | 'mediaType'> {
  const found = dataUrlHead(url);
  return found
    ? { source: { data: url.slice(found.head.length) }, mediaType: found.mediaType || null }
    : { source: { url }, mediaType: null };
}

/** A part's media as an address: a URL, or a data URL; undefined for a file that only its provider has. */
export function urlOf({ kind, source, mediaType }: MediaPart): string | undefined {
  if ('url' in source) return source.url;
  // OpenAI refuses an image of a type that is none.
  const type = mediaType ?? (kind === 'image' ? 'image/png' : 'application/octet-stream');
  return 'data' in source ? `data:${type};base64,${source.data}` : undefined;
}

/** The id of a file that OpenAI has; undefined for a file elsewhere: the id of another provider names nothing there. */
export function openAIFileId({ source, native }: MediaPart): string | undefined {
  const isOpenAIs = native?.format === 'openai' || native?.format === 'responses';
  return isOpenAIs && 'fileId' in source && source.fileId !== '' ? source.fileId : undefined;
}

/** How the base64 of an image begins, by its type. */
const imageStarts: [string, string][] = [
  ['/9j/', 'image/jpeg'],
  ['iVBOR', 'image/png'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** Whether a media type has its subtype: the AI SDK takes `image` and `image/*` too. */
export const isFullMediaType = (type: string | null): boolean => /^[^/]+\/[^/*]+$/.test(type ?? '');

/** The type of an image by its first bytes, with which Anthropic compares the type beside them; null when unknown. */
export function imageTypeOf({ kind, source }: Pick<MediaPart, 'kind' | 'source'>): string | null {
  const data = kind === 'image' && 'data' in source ? source.data : '';
  return imageStarts.find(([start]) => data.startsWith(start))?.[1] ?? null;
}

/** The name of a file whose bytes are sent: OpenAI refuses them without one, and a name beside an address or an id. */
export function fileNameOf({ name, mediaType }: Pick<MediaPart, 'name' | 'mediaType'>): string {
  if (name !== null) return name;
  const [, subtype] = /\/([a-z0-9]{1,8})$/.exec(mediaType ?? '') ?? [];
  return subtype === undefined ? 'file' : `file.${subtype === 'plain' ? 'txt' : subtype}`;
}

/** The kind of a media type; unknown types are files. */
export function kindOfMedia(mediaType: string | null): MediaPart['kind'] {
  const kind = mediaType?.split('/')[0];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
