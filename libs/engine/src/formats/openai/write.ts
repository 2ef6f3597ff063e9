import {
  withoutDocuments,
  type Body,
  type CallPart,
  type MediaPart,
  type Message,
  type Part,
  type ResultPart,
} from '../../messages/message.js';
import { fileNameOf, openAIFileId, urlOf } from '../data-url.js';
import { Written, type Drop } from '../format.js';
import { errorMarkOf, isBeside, nameOf, nativeIn, placeholder, textAlone } from '../parts.js';

export const writeOpenAI = (messages: readonly Message[]): Written =>
  new Written(messages.map(withoutDocuments), writeMessage);

/** Results come first, a message each; the calls of consecutive assistant messages become one message. */
function writeMessage(message: Message, out: Written): void {
  const { drop } = out;
  for (const part of message.parts) if (part.type === 'result') out.add(writeResult(part, drop));
  const own = message.parts.filter((part) => part.type !== 'result');
  if (message.role === 'tool') for (const part of own) drop(nameOf(part));
  if (message.role === 'tool' || (own.length === 0 && own.length < message.parts.length)) return;
  const { name } = message;
  if (message.role !== 'assistant') {
    const content = writeContent(
      own.filter((part) => !isBeside(part)),
      drop,
    );
    out.add({ role: message.role, content, ...(name === null ? {} : { name }), ...fieldsIn(own, drop) });
    return;
  }
  const written = writeAssistant(own, drop);
  const { last } = out;
  if (last?.role === 'assistant') Object.assign(last, joined(last, written));
  else if (written.content !== null || written.tool_calls || written.refusal)
    out.add({ role: 'assistant', ...written, ...(name === null ? {} : { name }) });
}

function writeAssistant(parts: readonly Part[], drop: Drop): Body {
  const texts = parts.filter((part) => part.type === 'text' || part.type === 'media');
  const calls = parts.filter((part) => part.type === 'call').map(writeCall);
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : []));
  for (const part of parts) if (part.type === 'other' && !isBeside(part)) drop(part.label);
  return {
    content: texts.length > 0 ? assistantContent(texts, drop) : null,
    ...(refusals.length > 0 ? { refusal: refusals.join('\n') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...fieldsIn(parts, drop),
  };
}

/** The fields that a message of this format has beside its content, its reasoning among them. */
function fieldsIn(parts: readonly Part[], drop: Drop): Body {
  const fields: Body = {};
  for (const part of parts) {
    if (part.type !== 'reasoning' && !isBeside(part)) continue;
    const own = nativeIn(part, 'openai');
    if (own) Object.assign(fields, own);
    else drop(nameOf(part));
  }
  return fields;
}

/** Assistant messages hold text alone. */
const assistantContent = (parts: readonly Part[], drop: Drop): string =>
  parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      drop(`${nameOf(part)} in an assistant message`);
      return placeholder(nameOf(part));
    })
    .join('\n');

/** Fields of an assistant message that hold text beside its content. */
const textFields = ['refusal', 'reasoning_content'] as const;

/** The second message, with the texts and the calls of the first before its own. */
function joined(first: Body, second: Body): Body {
  const textOf = (field: string): string[] =>
    [first[field], second[field]].filter((text) => typeof text === 'string' && text !== '') as string[];
  const beside = textFields.flatMap((field) => {
    const texts = textOf(field);
    return texts.length > 0 ? [[field, texts.join('\n')] as const] : [];
  });
  const texts = textOf('content');
  const calls = [first.tool_calls, second.tool_calls].filter(Array.isArray).flat();
  return {
    ...second,
    content: texts.length > 0 ? texts.join('\n') : null,
    ...Object.fromEntries(beside),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

const writeCall = (call: CallPart): Body =>
  nativeIn(call, 'openai') ??
  (call.custom
    ? { id: call.id, type: 'custom', custom: { name: call.name, input: call.input } }
    : { id: call.id, type: 'function', function: { name: call.name, arguments: call.input } });

function writeResult(result: ResultPart, drop: Drop): Body {
  const texts = result.parts.flatMap((part) => {
    if (part.type === 'text' || part.type === 'refusal') return [part.text];
    drop(`${nameOf(part)} in a tool result`);
    return [placeholder(nameOf(part))];
  });
  const content = `${errorMarkOf(result)}${texts.join('\n')}`;
  return {
    role: 'tool',
    tool_call_id: result.callId,
    content,
    ...(result.name === null ? {} : { name: result.name }),
  };
}

function writeContent(parts: readonly Part[], drop: Drop): string | Body[] {
  const written = parts.map((part): Body => nativeIn(part, 'openai') ?? writePart(part, drop));
  return written.length === 0 ? '' : (textAlone(written) ?? written);
}

function writePart(part: Part, drop: Drop): Body {
  if (part.type === 'text' || part.type === 'refusal') return { type: 'text', text: part.text };
  if (part.type === 'media') {
    const written = writeMedia(part);
    if (written) return written;
    drop(`${part.kind} this format has no place for`);
    return { type: 'text', text: placeholder(part.kind) };
  }
  drop(nameOf(part));
  return { type: 'text', text: placeholder(nameOf(part)) };
}

function writeMedia(part: MediaPart): Body | undefined {
  const url = urlOf(part);
  if (part.kind === 'image' && url !== undefined) return { type: 'image_url', image_url: { url } };
  if (
    part.kind === 'audio' &&
    'data' in part.source &&
    /^audio\/(wav|mp3|mpeg)$/.test(part.mediaType ?? '')
  ) {
    const format = part.mediaType === 'audio/wav' ? 'wav' : 'mp3';
    return { type: 'input_audio', input_audio: { data: part.source.data, format } };
  }
  if (part.kind !== 'file') return undefined;
  const fileId = openAIFileId(part);
  if (fileId !== undefined) return { type: 'file', file: { file_id: fileId } };
  return 'data' in part.source
    ? { type: 'file', file: { file_data: url, filename: fileNameOf(part) } }
    : undefined;
}
