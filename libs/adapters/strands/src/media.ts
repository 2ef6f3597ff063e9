import type { Block, Media } from './sdk.js';

/** A file of a model message of the AI SDK. */
export interface FilePart {
  type: 'file';
  data: string;
  mediaType: string;
  filename?: string;
}

const kinds = ['image', 'video', 'audio', 'document'] as const;

/** Media types whose subtype is not the name that the SDK has for the format. */
const typesByFormat: Record<string, string> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  mp3: 'audio/mpeg',
  mov: 'video/quicktime',
};
const formatsByType = new Map(Object.entries(typesByFormat).map(([format, type]) => [type, format]));
const families = { image: 'image', video: 'video', audio: 'audio', document: 'text' } as const;

/** Returns an image, a file or a text that is one; undefined for any other block. */
export function fileOf(block: Block): FilePart | { type: 'text'; text: string } | undefined {
  for (const kind of kinds) {
    const media = block[kind];
    if (!media) continue;
    const { format, source } = media;
    const texts = source.text ?? source.content?.map(({ text = '' }) => text).join('\n');
    if (texts !== undefined) return { type: 'text', text: texts };
    const data = source.bytes ?? source.url ?? source.location?.uri ?? '';
    const mediaType = typesByFormat[format] ?? `${families[kind]}/${format}`;
    const name = (media as { name?: string }).name;
    return { type: 'file', data, mediaType, ...(name === undefined ? {} : { filename: name }) };
  }
  return undefined;
}

/** Returns the block of a file. */
export function mediaOf({ data, mediaType, filename }: FilePart): Block {
  const [family, subtype = ''] = mediaType.split('/');
  const format = formatsByType.get(mediaType) ?? subtype;
  const media: Media = { format, source: sourceOf(data) };
  if (family === 'image' || family === 'video' || family === 'audio') return { [family]: media };
  return { document: { ...media, name: filename ?? 'document' } };
}

const sourceOf = (data: string): Media['source'] => {
  if (data.startsWith('s3://')) return { location: { uri: data, type: 's3' } as { uri: string } };
  return /^https?:\/\//.test(data) ? { url: data } : { bytes: data };
};
