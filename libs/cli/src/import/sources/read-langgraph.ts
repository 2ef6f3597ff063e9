import { LeftOut, type ReadSession } from '../imported-session.js';
import { idFromPosition, idFromSource } from './message-id.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from './json-value.js';
import { refuse, type SourceFile } from './source-file.js';

/*
 * Messages of LangChain as states and checkpoints of LangGraph hold them, by the npm package `@langchain/core`:
 * `Serialized` {lc, type: "constructor", id, kwargs}, `StoredMessage` {type, data}, or plain {type, content}. A list, or
 * an object that has it at messages, values.messages or channel_values.messages.
 */

const roles: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
  system: 'system',
  developer: 'developer',
};

/** The message's type and fields in one form, or null for something else. */
function fieldsOf(value: JsonObject): { type: string; fields: JsonObject } | null {
  if (typeof value.lc === 'number' && isObject(value.kwargs)) {
    const className = textOrNull(arrayOr(value.id).at(-1)) ?? '';
    const type = className.replace(/Message(Chunk)?$/, '').toLowerCase();
    return { type, fields: value.kwargs };
  }
  if (typeof value.type !== 'string' || value.role !== undefined) return null;
  const type = value.type.replace(/^(\w+)MessageChunk$/, '$1').toLowerCase();
  return { type, fields: isObject(value.data) ? value.data : value };
}

export const isLanggraph = ({ entries }: SourceFile): boolean =>
  entries.length > 0 &&
  entries.every(({ value }) => {
    const read = fieldsOf(value);
    return (
      read !== null && (Object.hasOwn(roles, read.type) || value.lc !== undefined) && 'content' in read.fields
    );
  });

export function readLanggraph({ name, entries, document }: SourceFile): ReadSession {
  const leftOut = new LeftOut();
  const messages = entries.map(({ value, line }, i) => {
    const read = fieldsOf(value);
    if (!read || !Object.hasOwn(roles, read.type))
      return refuse(
        name,
        line,
        `The type of the message is ${JSON.stringify(read?.type ?? value.type)}. It must be one of ${Object.keys(roles).join(', ')}.`,
      );
    const message = messageOf(roles[read.type]!, read.fields, leftOut);
    const own = textOrNull(read.fields.id);
    const id = own === null ? idFromPosition(i, message) : idFromSource(own);
    // Some providers' answers have a time of their own.
    const answered = objectOr(read.fields.response_metadata).created_at;
    const at = answered ?? (i === entries.length - 1 ? checkpointTime(document) : null);
    return { id, message, line, at };
  });
  const config = objectOr(objectOr(document?.config).configurable);
  return {
    format: 'openai',
    sessionId: textOrNull(config.thread_id) ?? textOrNull(document?.thread_id),
    model:
      entries.map(({ value }) => modelOf(fieldsOf(value)?.fields)).findLast((model) => model !== null) ??
      null,
    system: null,
    messages,
    otherIds: new Set(),
    leftOut,
  };
}

/**
 * When a checkpoint was written. Its newest message was made in the step before it; nothing is known of the others. A
 * checkpoint has `ts`, a snapshot of a state `created_at` in Python and `createdAt` in JavaScript.
 */
function checkpointTime(document: JsonObject | null): unknown {
  const { ts, created_at: inPython, createdAt, checkpoint } = objectOr(document);
  return ts ?? inPython ?? createdAt ?? objectOr(checkpoint).ts;
}

const modelOf = (fields: JsonObject | undefined): string | null => {
  const metadata = objectOr(fields?.response_metadata);
  return textOrNull(metadata.model_name) ?? textOrNull(metadata.model);
};

function messageOf(role: string, fields: JsonObject, leftOut: LeftOut): JsonObject {
  const content = typeof fields.content === 'string' ? fields.content : partsOf(fields.content, leftOut);
  // The format has no field for it; the text of the result says what failed.
  if (fields.status === 'error') leftOut.add('error marks of results');
  if (role === 'tool') return { role, content, tool_call_id: fields.tool_call_id };
  if (role !== 'assistant') return { role, content };
  const calls = arrayOr(fields.tool_calls).map((call) => {
    const { id, name, args } = objectOr(call);
    return { id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } };
  });
  return { role, content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

/** Calls are in `tool_calls` too; reasoning is bound to the provider that made it. */
function partsOf(content: unknown, leftOut: LeftOut): JsonObject[] | string {
  const parts = arrayOr(content).flatMap((block): JsonObject[] => {
    const part = typeof block === 'string' ? { type: 'text', text: block } : objectOr(block);
    if (part.type === 'tool_use' || part.type === 'tool_call' || part.type === 'input_json_delta') return [];
    if (/thinking|reasoning/.test(String(part.type))) {
      leftOut.add('blocks of reasoning');
      return [];
    }
    if (part.type === 'image') return [imageOf(part)];
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    return [part];
  });
  return parts.length === 0 ? '' : parts;
}

/** Standard blocks have `data` and `mimeType`, or in older versions `mime_type`; Anthropic's have a source. */
function imageOf(part: JsonObject): JsonObject {
  const source = objectOr(part.source);
  const mediaType =
    textOrNull(part.mimeType) ?? textOrNull(part.mime_type) ?? textOrNull(source.media_type) ?? 'image/png';
  const data = textOrNull(part.data) ?? textOrNull(source.data) ?? '';
  const url = textOrNull(part.url) ?? textOrNull(source.url) ?? `data:${mediaType};base64,${data}`;
  return { type: 'image_url', image_url: { url } };
}
