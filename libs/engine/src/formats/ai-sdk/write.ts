import {
  withoutDocuments,
  type Body,
  type CallPart,
  type MediaPart,
  type Message,
  type Part,
  type ResultPart,
} from '../../messages/message.js';
import { parseQuotingInexact } from '../../messages/exact-number.js';
import { urlOf } from '../data-url.js';
import { Written, type Drop } from '../format.js';
import {
  authorName,
  nameOf,
  nameOfResult,
  nativeIn,
  placeholder,
  systemMark,
  systemRole,
  textAlone,
  toolNames,
} from '../parts.js';

/**
 * The items of a step share one assistant message, its results one tool message. A later system message becomes a marked
 * message of the user.
 */
export function writeAiSdk(messages: readonly Message[]): Written {
  const names = toolNames(messages);
  return new Written(messages.map(withoutDocuments), (message, out) => writeMessage(message, names, out));
}

function writeMessage(message: Message, names: ReadonlyMap<string, string>, out: Written): void {
  const { drop } = out;
  if (message.name !== null) drop(authorName);
  const answers = message.parts.flatMap((part): Body[] => {
    if (part.type === 'result') return [writeResult(part, names, drop)];
    // Approvals stand among the results.
    const native = message.role === 'tool' ? nativeIn(part, 'ai-sdk') : undefined;
    if (message.role === 'tool' && !native) drop(nameOf(part));
    return native ? [native] : [];
  });
  if (answers.length > 0) join(out, 'tool', answers);
  const others = message.parts.filter((part) => part.type !== 'result');
  if (message.role === 'tool' || (others.length === 0 && answers.length > 0)) return;
  if (message.role === 'system' || message.role === 'developer') {
    drop(systemRole);
    out.add({ role: 'user', content: systemMark + systemText(others, drop) });
    return;
  }
  const parts = others.flatMap((part) => writePart(part, message, drop));
  const isEmpty = parts.length === 0;
  if (message.role === 'user') out.add({ role: 'user', content: isEmpty ? '' : (textAlone(parts) ?? parts) });
  else if (!isEmpty) join(out, 'assistant', parts);
}

function join(out: Written, role: string, parts: Body[]): void {
  const { last } = out;
  if (last?.role === role && Array.isArray(last.content))
    for (const part of parts) (last.content as Body[]).push(part);
  else out.add({ role, content: parts });
}

const systemText = (parts: readonly Part[], drop: Drop): string =>
  parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      drop(`${nameOf(part)} in a system message`);
      return [];
    })
    .join('\n');

function writePart(part: Part, message: Message, drop: Drop): Body[] {
  const native = nativeIn(part, 'ai-sdk');
  if (native) return [native];
  switch (part.type) {
    case 'text':
    case 'refusal':
      if (part.type === 'refusal') drop('the mark of a refusal');
      return [{ type: 'text', text: part.text }];
    case 'call':
      return [{ type: 'tool-call', toolCallId: part.id, toolName: part.name, input: inputOf(part) }];
    case 'media': {
      const file = writeMedia(part);
      if (file) return [file];
      drop(`${part.kind} this format has no place for`);
      return message.role === 'user' ? [{ type: 'text', text: placeholder(part.kind) }] : [];
    }
    case 'reasoning':
      drop('reasoning');
      return [];
    case 'other':
      drop(part.label);
      return [];
    case 'result':
      return [];
  }
}

/** Input is any JSON here; other text stays a string. */
function inputOf(call: CallPart): unknown {
  if (call.custom) return call.input;
  try {
    return call.input === '' ? {} : parseQuotingInexact(call.input);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return call.input;
  }
}

function writeResult(result: ResultPart, names: ReadonlyMap<string, string>, drop: Drop): Body {
  const native = nativeIn(result, 'ai-sdk');
  if (native && !result.changed) return native;
  const isText = result.parts.every((part) => part.type === 'text' || part.type === 'refusal');
  const text = result.parts.map((part) => ('text' in part ? part.text : '')).join('\n');
  const output = isText
    ? { type: result.isError ? 'error-text' : 'text', value: text }
    : { type: 'content', value: result.parts.map((part) => writeOutputPart(part, drop)) };
  return {
    type: 'tool-result',
    toolCallId: result.callId,
    toolName: nameOfResult(result, names),
    output,
  };
}

function writeOutputPart(part: Part, drop: Drop): Body {
  const native = nativeIn(part, 'ai-sdk');
  if (native) return native;
  if (part.type === 'text' || part.type === 'refusal') return { type: 'text', text: part.text };
  if (part.type === 'media') {
    const what = part.kind === 'image' ? 'image' : 'file';
    if ('url' in part.source) return { type: `${what}-url`, url: part.source.url };
    if ('data' in part.source) {
      const mediaType = part.mediaType ?? (what === 'image' ? 'image/png' : 'application/octet-stream');
      return { type: `${what}-data`, data: part.source.data, mediaType };
    }
  }
  drop(`${nameOf(part)} in a tool result`);
  return { type: 'text', text: placeholder(nameOf(part)) };
}

function writeMedia(part: MediaPart): Body | undefined {
  const url = urlOf(part);
  if (url === undefined) return undefined;
  const data = 'data' in part.source ? part.source.data : url;
  const filename = part.name === null ? {} : { filename: part.name };
  const fallback = { image: 'image/png', audio: 'audio/wav', video: 'video/mp4', file: 'application/pdf' };
  const mediaType = part.mediaType ?? fallback[part.kind];
  if (part.kind === 'image') return { type: 'image', image: data, mediaType };
  return { type: 'file', data, mediaType, ...filename };
}
