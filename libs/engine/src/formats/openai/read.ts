import type { Role } from '../../messages/role.js';
import type { Body, CallPart, MediaPart, Message, Part } from '../../messages/message.js';
import { kindOfMedia, sourceOfUrl } from '../data-url.js';
import { isBody, isMarkedError, readContent, stringOf, stringOrNull } from '../parts.js';

const known = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'name',
  'reasoning_content',
  // What the SDK made of the content: contexts leave it out.
  'parsed',
]);

export function readOpenAI(body: Body): Message {
  const content = readContent(body.content, readPart);
  const extra = Object.entries(body).filter(([key, value]) => !known.has(key) && value !== null);
  const parts: Part[] =
    body.role === 'tool'
      ? [
          {
            type: 'result',
            callId: stringOf(body.tool_call_id),
            name: stringOrNull(body.name),
            parts: content,
            isError: isMarkedError(content),
          },
        ]
      : content;
  const reasoning = stringOf(body.reasoning_content);
  if (reasoning !== '') {
    const raw = { reasoning_content: reasoning };
    parts.unshift({ type: 'reasoning', text: reasoning, native: { format: 'openai', raw } });
  }
  if (typeof body.refusal === 'string') parts.push({ type: 'refusal', text: body.refusal });
  if (Array.isArray(body.tool_calls))
    for (const call of body.tool_calls.filter(isBody)) parts.push(readCall(call));
  if (extra.length > 0) {
    const value = Object.fromEntries(extra);
    parts.push({
      type: 'other',
      label: Object.keys(value).join(', '),
      value,
      beside: true,
      native: { format: 'openai', raw: value },
    });
  }
  const name = body.role === 'tool' ? null : stringOrNull(body.name);
  return { role: body.role as Role, name, parts };
}

function readCall(call: Body): CallPart {
  const fn = isBody(call.function) ? call.function : isBody(call.custom) ? call.custom : {};
  return {
    type: 'call',
    id: stringOf(call.id),
    name: stringOf(fn.name),
    input: stringOf(fn.arguments ?? fn.input),
    custom: isBody(call.custom),
    native: { format: 'openai', raw: call },
  };
}

function readPart(part: Body): Part {
  const native = { format: 'openai' as const, raw: part };
  const image = isBody(part.image_url) ? stringOf(part.image_url.url) : '';
  if (part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text, native };
  if (part.type === 'refusal' && typeof part.refusal === 'string')
    return { type: 'refusal', text: part.refusal, native };
  if (part.type === 'image_url' && image !== '')
    return { type: 'media', kind: 'image', ...sourceOfUrl(image), name: null, native };
  if (part.type === 'input_audio' && isBody(part.input_audio)) {
    const mediaType = `audio/${stringOf(part.input_audio.format) || 'wav'}`;
    const source = { data: stringOf(part.input_audio.data) };
    return { type: 'media', kind: 'audio', source, mediaType, name: null, native };
  }
  if (part.type === 'file' && isBody(part.file)) return { ...readFile(part.file), native };
  return { type: 'other', label: stringOf(part.type) || 'part', value: part, native };
}

function readFile(file: Body): MediaPart {
  const name = stringOrNull(file.filename);
  if (typeof file.file_data !== 'string')
    return { type: 'media', kind: 'file', source: { fileId: stringOf(file.file_id) }, mediaType: null, name };
  const { source, mediaType } = sourceOfUrl(file.file_data);
  const data = 'url' in source ? { data: source.url } : source;
  return { type: 'media', kind: kindOfMedia(mediaType), source: data, mediaType, name };
}
