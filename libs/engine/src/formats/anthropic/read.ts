import { textOfParts, type Body, type MediaPart, type Message, type Part } from '../../messages/message.js';
import { kindOfMedia } from '../data-url.js';
import { fieldsBeside, isBody, readContent, stringOf, stringOrNull } from '../parts.js';
import { anthropicTexts, providerResult } from '../provider-results.js';

/** A user message of tool results alone is a tool message; with text beside them it is the user's. */
export function readAnthropic(body: Body): Message {
  const parts = readContent(body.content, readBlock);
  nameMcpResults(parts);
  const onlyResults = parts.length > 0 && parts.every((part) => part.type === 'result');
  const role = body.role === 'assistant' ? 'assistant' : body.role === 'system' ? 'system' : 'user';
  return {
    role: role === 'user' && onlyResults ? 'tool' : role,
    name: null,
    parts: [...parts, ...fieldsBeside(body)],
  };
}

function readBlock(block: Body): Part {
  const native = { format: 'anthropic' as const, raw: block };
  switch (block.type) {
    case 'text':
      if (typeof block.text === 'string') return { type: 'text', text: block.text, native };
      break;
    case 'thinking':
      return { type: 'reasoning', text: stringOf(block.thinking), native };
    case 'redacted_thinking':
      return { type: 'reasoning', text: stringOf(block.data), native };
    case 'image':
    case 'document':
      if (isBody(block.source)) return { ...readSource(block, block.source), native };
      break;
    case 'search_result':
      return { type: 'text', text: textOfSearchResult(block), native };
    case 'tool_use':
      return {
        type: 'call',
        id: stringOf(block.id),
        name: stringOf(block.name),
        input: JSON.stringify(block.input ?? {}),
        custom: false,
        native,
      };
    case 'tool_result':
      return {
        type: 'result',
        callId: stringOf(block.tool_use_id),
        name: null,
        parts: readContent(block.content, readBlock),
        isError: block.is_error === true,
        native,
      };
  }
  // Server tools and newer block types: self-contained, kept as they are.
  const label = stringOf(block.type) || 'block';
  const of = { callId: stringOf(block.tool_use_id), name: toolOfResult(label) };
  return {
    type: 'other',
    label,
    value: block,
    native,
    result: providerResult(anthropicTexts, block, of),
    // A program of code execution waits for the caller's tools, and a paused turn goes on in the next message.
    ...(label.endsWith('_tool_use') ? { runs: stringOf(block.id) } : {}),
    ...(label.endsWith('_tool_result') ? { ran: of.callId } : {}),
  };
}

/** A result of the provider's own tools is named after its tool. That of an MCP server has its name in the call. */
const toolOfResult = (type: string): string | null =>
  type === 'mcp_tool_result' ? null : type.replace(/_tool_result$/, '');

function nameMcpResults(parts: readonly Part[]): void {
  const names = new Map<unknown, string | null>();
  for (const part of parts) {
    if (part.type !== 'other' || !isBody(part.value)) continue;
    const { type, id, name } = part.value;
    if (type === 'mcp_tool_use') names.set(id, stringOrNull(name));
    if (part.result) part.result.name ??= names.get(part.result.callId) ?? null;
  }
}

/** A hit of a search of the caller's own: what it is, where it is from, and what it says. */
const textOfSearchResult = ({ title, source, content }: Body): string =>
  [stringOf(title), stringOf(source), textOfParts(readContent(content, readBlock))]
    .filter((text) => text !== '')
    .join('\n');

function readSource(block: Body, source: Body): Part {
  const mediaType = stringOrNull(source.media_type);
  const name = stringOrNull(block.title);
  if (source.type === 'text') return { type: 'text', text: stringOf(source.data) };
  if (source.type === 'content' && hasOnlyTexts(source.content))
    return { type: 'text', text: textOfParts(readContent(source.content, readBlock)) };
  const of = (from: MediaPart['source']): MediaPart => ({
    type: 'media',
    kind: block.type === 'image' ? 'image' : kindOfMedia(mediaType),
    source: from,
    mediaType,
    name,
  });
  if (source.type === 'base64') return of({ data: stringOf(source.data) });
  if (source.type === 'url') return of({ url: stringOf(source.url) });
  if (source.type === 'file') return of({ fileId: stringOf(source.file_id) });
  const label = stringOf(block.type);
  if (source.type === 'content' && hasTextsAndPictures(source.content))
    return { type: 'other', label, value: block, parts: readContent(source.content, readBlock) };
  return { type: 'other', label, value: block };
}

/** Whether a document is made of texts and pictures. It stays a whole, because a text cannot stand for it. */
const hasTextsAndPictures = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every((block) => isBody(block) && (block.type === 'text' || block.type === 'image'));

/** Whether a document is made of texts. */
const hasOnlyTexts = (content: unknown): boolean =>
  Array.isArray(content)
    ? content.length > 0 && content.every((block) => isBody(block) && block.type === 'text')
    : typeof content === 'string' && content !== '';
