import type { LeftOut } from '../../imported-session.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from '../json-value.js';

/*
 * Content blocks of LangChain as parts of chat completions. They come in several forms: the standard blocks of version 1
 * (`fileId`, in Python `file_id` and `base64`), those of version 0 (`source_type`), and the blocks of each provider.
 */

/** Blocks that repeat what `tool_calls` of the message says, as in the adapter `@spillway/langchain`. */
const repeatsCall =
  /^(tool_use|tool_call|tool_call_chunk|invalid_tool_call|function_call|functionCall|input_json_delta)$/;
const resultOfProvider = /_(tool_result|call_result|call_output)$/;
const callOfProvider = /_(tool_use|call|call_chunk)$/;
/** Parts that are the same in chat completions. */
const ownParts = new Set(['image_url', 'input_audio', 'refusal']);
const media = new Set(['image', 'audio', 'video', 'file', 'document']);

/**
 * Returns the content of a message for chat completions. Calls are in `tool_calls` too; reasoning and what a provider ran
 * itself are bound to that provider, and are counted.
 */
export function chatContent(content: unknown, leftOut: LeftOut): JsonObject[] | string {
  if (typeof content === 'string') return content;
  const parts = arrayOr(content).flatMap((block) =>
    partsOf(typeof block === 'string' ? textPart(block) : objectOr(block), leftOut),
  );
  return parts.length === 0 ? '' : parts;
}

const textPart = (text: string): JsonObject => ({ type: 'text', text });

function partsOf(block: JsonObject, leftOut: LeftOut): JsonObject[] {
  const type = String(block.type);
  const text = textOrNull(block.text);
  if (type === 'text') return [{ type, text: block.text }];
  if (type === 'image_url' && typeof block.image_url === 'string')
    return [{ type, image_url: { url: block.image_url } }];
  if (ownParts.has(type) || (type === 'file' && isObject(block.file))) return [block];
  if (type === 'non_standard') return partsOf(objectOr(block.value), leftOut);
  if (repeatsCall.test(type)) return [];
  if ((type === 'text-plain' || type === 'file') && text !== null) return [textPart(text)];
  if (media.has(type)) return [mediaPart(type, block, leftOut)];
  leftOut.add(kindOf(type));
  return [];
}

function kindOf(type: string): string {
  if (/thinking|reasoning/.test(type)) return 'blocks of reasoning';
  if (resultOfProvider.test(type)) return 'results of calls that the provider ran';
  return callOfProvider.test(type) ? 'calls that the provider ran' : `blocks of type ${type}`;
}

/** An image, a recording or a file. Where chat completions have no form for it, its name stays, as of other exports. */
function mediaPart(type: string, block: JsonObject, leftOut: LeftOut): JsonObject {
  const source = objectOr(block.source);
  if (type === 'document' && source.type === 'text') return textPart(String(source.data));
  const data = textOrNull(block.data) ?? textOrNull(block.base64) ?? textOrNull(source.data);
  const url = textOrNull(block.url) ?? textOrNull(source.url);
  const id =
    textOrNull(block.fileId) ??
    textOrNull(block.file_id) ??
    textOrNull(source.file_id) ??
    (block.source_type === 'id' ? textOrNull(block.id) : null);
  const mediaType =
    textOrNull(block.mimeType) ?? textOrNull(block.mime_type) ?? textOrNull(source.media_type);
  const filename = fileNameOf(block);
  if (type === 'image' && (url ?? data) !== null)
    return { type: 'image_url', image_url: { url: url ?? dataUrl(data!, mediaType ?? 'image/png') } };
  if (type === 'audio' && data !== null)
    return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } };
  if ((type === 'file' || type === 'document') && data !== null) {
    const bytes = { file_data: dataUrl(data, mediaType ?? 'application/pdf') };
    return { type: 'file', file: { ...bytes, ...(filename === null ? {} : { filename }) } };
  }
  // Only OpenAI has ids in blocks of this type: those of Anthropic are in a source.
  if (type === 'file' && id !== null) return { type: 'file', file: { file_id: id } };
  leftOut.add('files by name');
  const name = filename ?? url ?? id;
  return textPart(`[${type === 'document' ? 'file' : type}${name === null ? '' : `: ${name}`}]`);
}

const dataUrl = (data: string, mediaType: string): string => `data:${mediaType};base64,${data}`;

function fileNameOf({ filename, title, metadata }: JsonObject): string | null {
  const more = objectOr(metadata);
  return (
    textOrNull(filename) ?? textOrNull(more.filename) ?? textOrNull(more.name) ?? textOrNull(title) ?? null
  );
}

/** Chat completions name the format of a recording, and LangChain its media type. */
function audioFormat(mediaType: string | null): string {
  const subtype = mediaType?.split('/')[1]?.replace(/^x-/, '') ?? 'wav';
  return { mpeg: 'mp3', wave: 'wav', 'vnd.wave': 'wav' }[subtype] ?? subtype;
}
