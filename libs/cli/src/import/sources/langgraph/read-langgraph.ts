import { LeftOut, type ReadMessage, type ReadSession } from '../../imported-session.js';
import { chatCalls, resultIdOf } from './chat-calls.js';
import { chatContent } from './chat-parts.js';
import { idFromPosition, idFromSource } from '../message-id.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from '../json-value.js';
import { isHistory, statesOf, timesOf } from './langgraph-states.js';
import { refuse, type Entry, type SourceFile } from '../source-file.js';

/*
 * Messages of LangChain as states and checkpoints of LangGraph hold them, by the npm package `@langchain/core`:
 * `Serialized` {lc, type: "constructor", id, kwargs}, `StoredMessage` {type, data}, or plain {type, content}. A list, or
 * an object that has it at messages, values.messages or channel_values.messages; or a list of such objects, a history.
 */

const roles: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
  // The result of a call in the form before tool calls: it names the tool and has no id.
  function: 'tool',
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

export const isLanggraph = (file: SourceFile): boolean =>
  file.entries.length > 0 && (file.entries.every(isMessage) || isHistory(file));

const isMessage = ({ value }: Entry): boolean => {
  const read = fieldsOf(value);
  return (
    read !== null && (Object.hasOwn(roles, read.type) || value.lc !== undefined) && 'content' in read.fields
  );
};

export function readLanggraph(file: SourceFile): ReadSession {
  const leftOut = new LeftOut();
  const [newest, ...older] = statesOf(file);
  const messages = newest.messages.map((entry, i) => messageIn(file.name, entry, i, leftOut));
  const before = older.map(({ messages: earlier, time }) => ({
    ids: earlier.map((entry, i) => messageIn(file.name, entry, i, new LeftOut()).id),
    time,
  }));
  const times = timesOf([{ ids: messages.map(({ id }) => id), time: newest.time }, ...before]);
  leftOut.add('earlier states', older.length);
  return {
    format: 'openai',
    sessionId: textOrNull(newest.config.thread_id) ?? textOrNull(file.document?.thread_id),
    model:
      newest.messages
        .map(({ value }) => modelOf(fieldsOf(value)?.fields))
        .findLast((model) => model !== null) ?? null,
    system: null,
    messages: messages.map((message) => ({ ...message, at: message.at ?? times.get(message.id) })),
    otherIds: new Set(before.flatMap(({ ids }) => ids)),
    leftOut,
  };
}

function messageIn(name: string, { value, line }: Entry, index: number, leftOut: LeftOut): ReadMessage {
  const read = fieldsOf(value);
  if (!read || !Object.hasOwn(roles, read.type))
    return refuse(
      name,
      line,
      `The type of the message is ${JSON.stringify(read?.type ?? value.type)}. It must be one of ${Object.keys(roles).join(', ')}.`,
    );
  const message = messageOf(roles[read.type]!, read.fields, leftOut);
  const own = textOrNull(read.fields.id);
  const id = own === null ? idFromPosition(index, message) : idFromSource(own);
  // Some providers' answers have a time of their own.
  return { id, message, line, at: objectOr(read.fields.response_metadata).created_at };
}

const modelOf = (fields: JsonObject | undefined): string | null => {
  const metadata = objectOr(fields?.response_metadata);
  return textOrNull(metadata.model_name) ?? textOrNull(metadata.model);
};

function messageOf(role: string, fields: JsonObject, leftOut: LeftOut): JsonObject {
  const content = chatContent(fields.content, leftOut);
  // The format has no field for it; the text of the result says what failed.
  if (fields.status === 'error') leftOut.add('error marks of results');
  if (role === 'tool') return { role, content, tool_call_id: resultIdOf(fields) };
  const message = { role, content, ...nameOf(fields, leftOut) };
  if (role !== 'assistant') return message;
  const calls = chatCalls(fields, leftOut);
  return { ...message, ...(calls.length > 0 ? { tool_calls: calls } : {}), ...refusalOf(fields, leftOut) };
}

/** Who wrote a message: the agents of a graph, or several people. */
function nameOf({ name }: JsonObject, leftOut: LeftOut): { name?: string } {
  const own = textOrNull(name);
  if (own === null) return {};
  if (/^[^\s<|\\/>]{1,64}$/.test(own)) return { name: own };
  leftOut.add('names that OpenAI does not take');
  return {};
}

/** The refusal is a field of the provider's in LangChain. The other such fields are counted, unless they repeat calls. */
function refusalOf({ additional_kwargs: more }: JsonObject, leftOut: LeftOut): { refusal?: string } {
  const fields = objectOr(more);
  for (const [key, value] of Object.entries(fields)) {
    if (['refusal', 'tool_calls', 'function_call'].includes(key) || isEmpty(value)) continue;
    leftOut.add(/reasoning|thinking/.test(key) ? 'blocks of reasoning' : 'other fields of the provider');
  }
  const refusal = textOrNull(fields.refusal);
  return refusal === null ? {} : { refusal };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
