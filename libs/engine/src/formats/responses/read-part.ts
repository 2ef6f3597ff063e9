import type { Body, MediaPart, Part } from '../../messages/message.js';
import { kindOfMedia, sourceOfUrl } from '../data-url.js';
import { stringOf, stringOrNull } from '../parts.js';

/** A part of the content of a message or of an output. */
export function readPart(part: Body): Part {
  const native = { format: 'responses' as const, raw: part };
  if ((part.type === 'input_text' || part.type === 'output_text') && typeof part.text === 'string')
    return { type: 'text', text: part.text, native };
  if (part.type === 'refusal' && typeof part.refusal === 'string')
    return { type: 'refusal', text: part.refusal, native };
  if (part.type === 'input_image') return { ...readMedia(part, part.image_url, 'image'), native };
  if (part.type === 'input_file')
    return { ...readMedia(part, part.file_data ?? part.file_url, 'file'), native };
  return { type: 'other', label: stringOf(part.type) || 'part', value: part, native };
}

function readMedia(part: Body, address: unknown, kind: 'image' | 'file'): MediaPart {
  const name = stringOrNull(part.filename);
  if (typeof address !== 'string')
    return { type: 'media', kind, source: { fileId: stringOf(part.file_id) }, mediaType: null, name };
  const { source, mediaType } = sourceOfUrl(address);
  const data = part.file_data !== undefined && 'url' in source ? { data: source.url } : source;
  return {
    type: 'media',
    kind: kind === 'image' ? kind : kindOfMedia(mediaType),
    source: data,
    mediaType,
    name,
  };
}
