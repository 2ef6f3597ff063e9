import type {
  Body,
  CallPart,
  MediaPart,
  Message,
  OtherPart,
  Part,
  ResultPart,
} from '../../messages/message.js';
import { parseQuotingInexact } from '../../messages/exact-number.js';
import { imageTypeOf } from '../data-url.js';
import { Written, type Drop } from '../format.js';
import {
  authorName,
  emptyMessage,
  isBody,
  nameOf,
  nativeIn,
  placeholder,
  systemMark,
  systemRole,
  textAlone,
} from '../parts.js';

/**
 * Results of one step share one user message, which must follow the calls directly; the items of a step share one
 * assistant message. A later system message becomes a marked message of the user.
 */
export function writeAnthropic(messages: readonly Message[]): Written {
  const written = new Written(messages, writeMessage);
  for (const { body } of written.bodies) body.content = textAlone(body.content as Body[]) ?? body.content;
  return written;
}

function writeMessage(message: Message, out: Written): void {
  if (message.name !== null) out.drop(authorName);
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  const content = writeBlocks(message, out.drop);
  if (content.length === 0) return;
  const last = out.last as { role: string; content: Body[] } | undefined;
  if (last?.role === role && (role === 'assistant' || isResults(last.content)))
    for (const block of content) last.content.push(block);
  else out.add({ role, content });
}

const isResults = (content: readonly Body[]): boolean =>
  content.every((block) => block.type === 'tool_result');

function writeBlocks(message: Message, drop: Drop): Body[] {
  const results = message.parts.filter((part) => part.type === 'result');
  const others = message.parts.filter((part) => part.type !== 'result');
  const blocks = others.flatMap((part) => writePart(part, message, drop));
  // An empty message of the user counts as said, but the provider refuses empty content.
  if (blocks.length === 0 && results.length === 0 && message.role !== 'assistant' && message.role !== 'tool')
    blocks.push({ type: 'text', text: emptyMessage });
  if ((message.role === 'system' || message.role === 'developer') && blocks[0]?.type === 'text') {
    drop(systemRole);
    blocks[0] = { type: 'text', text: `${systemMark}${String(blocks[0].text)}` };
  }
  return [...results.map((result) => writeResult(result, drop)), ...blocks];
}

function writePart(part: Part, message: Message, drop: Drop): Body[] {
  const native = nativeIn(part, 'anthropic');
  if (native) return [native];
  switch (part.type) {
    case 'text':
    case 'refusal':
      if (part.type === 'refusal') drop('the mark of a refusal');
      // Empty text blocks are refused by the provider.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'call':
      return [writeCall(part, drop)];
    case 'media': {
      const block = message.role === 'assistant' ? undefined : writeMedia(part);
      if (block) return [block];
      drop(`${part.kind} this format has no place for`);
      return [{ type: 'text', text: placeholder(part.kind) }];
    }
    case 'reasoning':
      drop('reasoning');
      return [];
    case 'other': {
      const document = writeDocument(part);
      if (document) return [document];
      drop(part.label);
      return [];
    }
    case 'result':
      return [];
  }
}

/** Ids are letters, digits, _ and - in Anthropic's format. Other characters are replaced by their codes. */
export const toolUseId = (id: string): string =>
  id.replace(/[^A-Za-z0-9_-]/g, (c) => `_x${c.charCodeAt(0).toString(16)}_`);

function writeCall(call: CallPart, drop: Drop): Body {
  return { type: 'tool_use', id: toolUseId(call.id), name: call.name, input: inputOf(call, drop) };
}

/** Arguments are an object here; other values are wrapped, so that nothing is lost. */
function inputOf(call: CallPart, drop: Drop): Body {
  if (call.input === '') return {};
  try {
    const input = parseQuotingInexact(call.input);
    if (isBody(input)) return input;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!call.custom) drop('the shape of arguments that are no JSON object');
  return { input: call.input };
}

function writeResult(result: ResultPart, drop: Drop): Body {
  const native = nativeIn(result, 'anthropic');
  if (native && !result.changed) return native;
  const blocks = result.parts.flatMap((part): Body[] => {
    if (part.type === 'text' || part.type === 'refusal')
      return part.text === '' ? [] : [nativeIn(part, 'anthropic') ?? { type: 'text', text: part.text }];
    const block = nativeIn(part, 'anthropic') ?? writeWhole(part);
    if (block) return [block];
    drop(`${nameOf(part)} in a tool result`);
    return [{ type: 'text', text: placeholder(nameOf(part)) }];
  });
  const texts = blocks.every((block) => block.type === 'text' && Object.keys(block).length === 2);
  const content = texts ? blocks.map((block) => block.text as string).join('\n') : blocks;
  return {
    type: 'tool_result',
    tool_use_id: toolUseId(result.callId),
    content,
    ...(result.isError ? { is_error: true } : {}),
  };
}

function writeWhole(part: Part): Body | undefined {
  if (part.type === 'media') return writeMedia(part);
  return part.type === 'other' ? writeDocument(part) : undefined;
}

/** A document whose texts or pictures changed. */
function writeDocument({ value, parts }: OtherPart): Body | undefined {
  if (!parts || !isBody(value)) return undefined;
  const content = parts.flatMap((part): Body[] => {
    if (part.type === 'text') return [nativeIn(part, 'anthropic') ?? { type: 'text', text: part.text }];
    const block = nativeIn(part, 'anthropic');
    return block ? [block] : [];
  });
  return { ...value, source: { type: 'content', content } };
}

function writeMedia(part: MediaPart): Body | undefined {
  const image = part.kind === 'image';
  if (!image && part.kind !== 'file') return undefined;
  const type = image ? 'image' : 'document';
  const title = image || part.name === null ? {} : { title: part.name };
  if ('url' in part.source) return { type, source: { type: 'url', url: part.source.url }, ...title };
  if ('fileId' in part.source) return undefined;
  const mediaType = image ? imageType(part) : (part.mediaType ?? 'application/pdf');
  if (!image && mediaType !== 'application/pdf') return undefined;
  return { type, source: { type: 'base64', media_type: mediaType, data: part.source.data }, ...title };
}

/** Anthropic refuses an image whose bytes are of another type, and the name image/jpg. */
function imageType(part: MediaPart): string {
  const named = part.mediaType === 'image/jpg' ? 'image/jpeg' : part.mediaType;
  return imageTypeOf(part) ?? named ?? 'image/png';
}
