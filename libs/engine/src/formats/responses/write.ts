import {
  callsOf,
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
import { authorName, errorMarkOf, isBeside, nameOf, nativeIn, placeholder } from '../parts.js';
import { isScreenshot, outputItem, textAsOutput } from './outputs.js';

/** Each call, result and text becomes an item of its own. */
export function writeResponses(messages: readonly Message[]): Written {
  const calls = new Map(messages.flatMap((m) => callsOf(m).map((call) => [call.id, call] as const)));
  return new Written(messages.map(withoutDocuments), (message, out) => {
    for (const item of writeMessage(message, calls, out.drop)) out.add(item);
  });
}

function writeMessage(message: Message, called: ReadonlyMap<string, CallPart>, drop: Drop): Body[] {
  const { role } = message;
  if (message.name !== null) drop(authorName);
  const results = message.parts.filter((part) => part.type === 'result');
  const calls = message.parts.filter((part) => part.type === 'call');
  const items: Body[] = results.map((result) => writeResult(result, called, drop));
  const pending: Part[] = [];
  for (const part of message.parts) {
    if (part.type === 'call' || part.type === 'result') continue;
    const item = part.type === 'reasoning' || part.type === 'other' ? nativeIn(part, 'responses') : undefined;
    if (item && !isContent(item)) items.push(item);
    else if (part.type === 'reasoning' || isBeside(part) || role === 'tool') drop(nameOf(part));
    else pending.push(part);
  }
  const isEmpty = message.parts.every(isBeside);
  if (role !== 'tool' && (pending.length > 0 || isEmpty)) {
    const written = role === 'assistant' ? assistantText(pending, drop) : content(pending, drop);
    if (written !== '' || role !== 'assistant' || isEmpty)
      items.push({ type: 'message', role, content: written });
  }
  return [...items, ...calls.map(writeCall)];
}

const isContent = (raw: Body): boolean => typeof raw.type === 'string' && raw.type.startsWith('input_');

const writeCall = (call: CallPart): Body =>
  nativeIn(call, 'responses') ??
  (call.custom
    ? { type: 'custom_tool_call', call_id: call.id, name: call.name, input: call.input }
    : { type: 'function_call', call_id: call.id, name: call.name, arguments: call.input });

function writeResult(result: ResultPart, called: ReadonlyMap<string, CallPart>, drop: Drop): Body {
  const native = nativeIn(result, 'responses');
  if (native && !result.changed) return native;
  if (native && isScreenshot(native.output)) {
    drop('the note in place of a screenshot');
    return native;
  }
  const mark = errorMarkOf(result);
  const isText = result.parts.every((part) => part.type === 'text' || part.type === 'refusal');
  const output = isText
    ? mark + result.parts.map((part) => (part as { text: string }).text).join('\n')
    : [
        ...(mark ? [{ type: 'input_text', text: mark.trim() }] : []),
        ...result.parts.map((p) => writePart(p, drop)),
      ];
  if (native)
    return { ...native, output: typeof output === 'string' ? textAsOutput(output, native.output) : output };
  return outputItem(result.call ?? called.get(result.callId), result.callId, output);
}

/** An assistant's text is written as one part: its parts carry ids that only the provider can make. */
const assistantText = (parts: readonly Part[], drop: Drop): string =>
  parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      if (part.type === 'refusal') {
        drop('the mark of a refusal');
        return [part.text];
      }
      drop(`${nameOf(part)} in an assistant message`);
      return part.type === 'media' ? [placeholder(part.kind)] : [];
    })
    .join('\n');

function content(parts: readonly Part[], drop: Drop): string | Body[] {
  const [only] = parts;
  if (!only) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts.map((part) => writePart(part, drop));
}

function writePart(part: Part, drop: Drop): Body {
  const native = nativeIn(part, 'responses');
  if (native && isContent(native)) return native;
  if (part.type === 'text' || part.type === 'refusal') return { type: 'input_text', text: part.text };
  const media = part.type === 'media' ? writeMedia(part) : undefined;
  if (media) return media;
  drop(nameOf(part));
  return { type: 'input_text', text: placeholder(nameOf(part)) };
}

function writeMedia(part: MediaPart): Body | undefined {
  const { kind, source } = part;
  if (kind !== 'image' && kind !== 'file') return undefined;
  const type = `input_${kind}`;
  const detail = kind === 'image' ? { detail: 'auto' } : {};
  const fileId = openAIFileId(part);
  if (fileId !== undefined) return { type, ...detail, file_id: fileId };
  const url = urlOf(part);
  if (url === undefined) return undefined;
  if (kind === 'image') return { type, ...detail, image_url: url };
  return 'url' in source ? { type, file_url: url } : { type, file_data: url, filename: fileNameOf(part) };
}
