import type { Role } from '../../messages/role.js';
import {
  textPart,
  type Body,
  type MediaPart,
  type Message,
  type Part,
  type TextPart,
} from '../../messages/message.js';
import { imageTypeOf, isFullMediaType, kindOfMedia, sourceOfUrl } from '../data-url.js';
import { fieldsBeside, isBody, readContent, stringOf, stringOrNull } from '../parts.js';
import { aiSdkTexts, providerResult } from '../provider-results.js';

export function readAiSdk(body: Body): Message {
  const isTool = body.role === 'tool';
  const parts = readContent(body.content, (part) => readPart(part, isTool));
  return { role: body.role as Role, name: null, parts: [...parts, ...fieldsBeside(body)] };
}

function readPart(part: Body, isTool: boolean): Part {
  const native = { format: 'ai-sdk' as const, raw: part };
  const other: Part = { type: 'other', label: stringOf(part.type) || 'part', value: part, native };
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? { type: 'text', text: part.text, native } : other;
    case 'reasoning':
      return { type: 'reasoning', text: stringOf(part.text), native };
    case 'image':
      return { ...readMedia(part.image, stringOrNull(part.mediaType), null, 'image'), native };
    case 'file':
      return { ...readFile(part), native };
    case 'tool-call':
      // The result of a call that the provider executed is beside it or in a later message; no tool answers it.
      if (part.providerExecuted === true) return { ...other, runs: stringOf(part.toolCallId) };
      return {
        type: 'call',
        id: stringOf(part.toolCallId),
        name: stringOf(part.toolName),
        input: JSON.stringify(part.input ?? {}),
        custom: false,
        native,
      };
    case 'tool-result':
      if (!isTool) {
        const called = calledOf(part);
        return { ...other, result: providerResult(aiSdkTexts, part, called), ran: called.callId };
      }
      return {
        type: 'result',
        ...calledOf(part),
        parts: readOutput(part.output),
        isError: isBody(part.output) && /^(error-|execution-denied)/.test(stringOf(part.output.type)),
        native,
      };
    default:
      return other;
  }
}

const calledOf = (part: Body) => ({ callId: stringOf(part.toolCallId), name: stringOrNull(part.toolName) });

function readOutput(output: unknown): Part[] {
  if (!isBody(output)) return [];
  if (output.type === 'text' || output.type === 'error-text') return readContent(output.value, noPart);
  if (output.type === 'content') return readContent(output.value, readOutputPart);
  if (output.type === 'execution-denied')
    return [{ type: 'text', text: stringOf(output.reason) || 'denied' }];
  return [{ type: 'text', text: JSON.stringify(output.value) ?? '' }];
}

const noPart = (part: Body): Part => ({ type: 'other', label: 'part', value: part });

function readOutputPart(part: Body): Part {
  const native = { format: 'ai-sdk' as const, raw: part };
  const mediaType = stringOrNull(part.mediaType);
  const name = stringOrNull(part.filename);
  const type = stringOf(part.type);
  if (type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text, native };
  if (type === 'file') return { ...readFile(part), native };
  const kind = type.startsWith('image-') ? 'image' : kindOfMedia(mediaType);
  if (/^(image|file)-data$/.test(type) || type === 'media')
    return { ...readMedia(stringOf(part.data), mediaType, name, kind), native };
  if (/^(image|file)-url$/.test(type)) return { ...readMedia(part.url, mediaType, name, kind), native };
  return { type: 'other', label: type || 'part', value: part, native };
}

/** A file may hold a text as it is, which no other format has as a file. */
function readFile(part: Body): MediaPart | TextPart {
  const { data: of } = part;
  if (isBody(of) && of.type === 'text') return textPart(stringOf(of.text));
  const mediaType = stringOrNull(part.mediaType);
  const data = isBody(of) ? (of.data ?? of.url ?? of) : of;
  return readMedia(data, mediaType, stringOrNull(part.filename), kindOfMedia(mediaType));
}

/** A URL, a data URL or base64; a reference to a provider's file is kept as JSON. */
function readMedia(
  data: unknown,
  mediaType: string | null,
  name: string | null,
  kind: MediaPart['kind'],
): MediaPart {
  if (typeof data !== 'string')
    return { type: 'media', kind, source: { fileId: JSON.stringify(data) ?? '' }, mediaType, name };
  const found = /^(https?|data):/i.test(data) ? sourceOfUrl(data) : { source: { data }, mediaType: null };
  const { source } = found;
  const type = [mediaType, found.mediaType].find(isFullMediaType) ?? imageTypeOf({ kind, source });
  return { type: 'media', kind, source, mediaType: type, name };
}
