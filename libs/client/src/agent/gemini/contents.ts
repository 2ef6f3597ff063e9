import type { Message } from '../../thread.js';
import { hashOf } from '../identity.js';
import { ownMessages, ownResults } from '../own-messages.js';
import type { GeminiContent, GeminiPart } from './content.js';
import { outputOf, responseOf, type Output } from './results.js';

/** A part of a model message of the AI SDK. */
interface MessagePart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: Output;
  data?: string;
  mediaType?: string;
  providerOptions?: { google?: { thoughtSignature?: string } };
}

/** A model message of the AI SDK, as Spillway records it. */
interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string | MessagePart[];
}

/** A model message of the AI SDK, with the caller's own content that it comes from. */
export type GeminiMessage = readonly [message: Message, own: GeminiContent];

/** The ids of calls of a conversation. Models before Gemini 3 give none, and Google's kit takes them out. */
class CallIds {
  private made = 0;
  private open: { id: string; name: string }[] = [];

  /** Ids follow from the calls before and from what is called, so the same conversation has the same ones each time. */
  call({ id, name = '', args = {} }: NonNullable<GeminiPart['functionCall']>): string {
    this.made++;
    const given = id ?? `call_${this.made}_${hashOf(name + JSON.stringify(args))}`;
    this.open.push({ id: given, name });
    return given;
  }

  /** A result without an id is that of the first call of its name that has none yet. */
  result({ id, name = '' }: NonNullable<GeminiPart['functionResponse']>): string {
    const at = this.open.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
    const [answered] = at < 0 ? [] : this.open.splice(at, 1);
    return answered?.id ?? id ?? `call_unknown_${hashOf(name)}`;
  }
}

const madeHere = /^call_(?:\d+|unknown)_[0-9a-f]{14}$/;
/** Ids that the caller gave are sent; those that were made here are not. */
const idOf = (id = ''): { id?: string } => (madeHere.test(id) ? {} : { id });

/** Returns the contents of a request to Gemini as messages. Results of functions are a message of their own. */
export function geminiHistory(contents: readonly GeminiContent[]): GeminiMessage[] {
  const ids = new CallIds();
  return contents.flatMap(({ role, parts = [] }): GeminiMessage[] => {
    if (role === 'model') return spoken('assistant', 'model', parts, ids);
    const results = parts.filter(({ functionResponse }) => functionResponse);
    const others = parts.filter(({ functionResponse }) => !functionResponse);
    return [...spoken('tool', 'user', results, ids), ...spoken('user', 'user', others, ids)];
  });
}

function spoken(role: ModelMessage['role'], of: string, parts: GeminiPart[], ids: CallIds): GeminiMessage[] {
  const content = parts.map((part) => partOf(part, ids));
  return content.length === 0
    ? []
    : [
        [
          { role, content },
          { role: of, parts },
        ],
      ];
}

function partOf(part: GeminiPart, ids: CallIds): MessagePart {
  const { functionCall: call, functionResponse: result, thoughtSignature } = part;
  const signed = thoughtSignature === undefined ? {} : { providerOptions: { google: { thoughtSignature } } };
  if (call)
    return {
      type: 'tool-call',
      toolCallId: ids.call(call),
      toolName: call.name ?? '',
      input: call.args ?? {},
      ...signed,
    };
  if (result)
    return {
      type: 'tool-result',
      toolCallId: ids.result(result),
      toolName: result.name ?? '',
      output: outputOf(result.response),
    };
  const { inlineData, fileData } = part;
  const data = inlineData?.data ?? fileData?.fileUri;
  const mediaType = inlineData?.mimeType ?? fileData?.mimeType ?? 'application/octet-stream';
  if (data !== undefined) return { type: 'file', data, mediaType };
  // A signature may come in a part of its own.
  const isThought = part.thought === true || (thoughtSignature !== undefined && !part.text);
  return { type: isThought ? 'reasoning' : 'text', text: textOf(part), ...signed };
}

/** What a part says in words; of a kind that this does not know, the part itself. */
function textOf(part: GeminiPart): string {
  const { text, executableCode, codeExecutionResult, thoughtSignature: _, ...others } = part;
  if (text !== undefined) return text;
  if (executableCode) return `\`\`\`${executableCode.language ?? ''}\n${executableCode.code ?? ''}\n\`\`\``;
  if (codeExecutionResult) return `${codeExecutionResult.outcome ?? ''}\n${codeExecutionResult.output ?? ''}`;
  return Object.keys(others).length === 0 ? '' : JSON.stringify(others);
}

/**
 * Returns the messages of a context as contents. What the caller has is the caller's own content: stubs, notes and
 * summaries are new. Gemini wants all results of a step in one content.
 */
export function geminiContents(
  context: readonly object[],
  history: readonly GeminiMessage[],
): GeminiContent[] {
  const owns = ownMessages(context, history);
  const ownResult = ownResults(
    history.flatMap(([message, own]) => {
      const { role, content } = message as ModelMessage;
      return role === 'tool'
        ? partsOf({ role, content }).map((part, i) => [part, own.parts![i]!] as const)
        : [];
    }),
  );
  const contents: GeminiContent[] = [];
  let before: ModelMessage['role'] | undefined;
  for (const [i, message] of (context as ModelMessage[]).entries()) {
    const parts = partsOf(message);
    if (message.role === 'tool') {
      const results = parts.map((part) => ownResult(part) ?? resultPart(part));
      if (before === 'tool') contents.at(-1)!.parts!.push(...results);
      else contents.push({ role: 'user', parts: results });
    } else {
      const own = owns[i];
      const role = message.role === 'assistant' ? 'model' : 'user';
      contents.push(own ? withReasoningOf(own, parts) : { role, parts: parts.flatMap(writtenPart) });
    }
    before = message.role;
  }
  // Gemini refuses a content without parts, such as one of thoughts alone that the context leaves out.
  return contents.filter(({ parts }) => parts!.length > 0);
}

const partsOf = ({ content }: ModelMessage): MessagePart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function resultPart({ toolCallId, toolName, output }: MessagePart): GeminiPart {
  const response = responseOf(output);
  return { functionResponse: { ...idOf(toolCallId), name: toolName ?? '', response } };
}

function writtenPart(part: MessagePart): GeminiPart[] {
  const { type, text = '', toolName = '', toolCallId, input, data = '', mediaType = '' } = part;
  if (type === 'tool-call') {
    const thoughtSignature = part.providerOptions?.google?.thoughtSignature;
    const functionCall = { ...idOf(toolCallId), name: toolName, args: input as Record<string, unknown> };
    return [{ functionCall, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) }];
  }
  if (type === 'file')
    return /^[a-z]+:\/\//.test(data)
      ? [{ fileData: { fileUri: data, mimeType: mediaType } }]
      : [{ inlineData: { data, mimeType: mediaType } }];
  return type === 'text' && text !== '' ? [{ text }] : [];
}

/** Leaves thoughts out where the context does. */
function withReasoningOf(own: GeminiContent, parts: readonly MessagePart[]): GeminiContent {
  const hasThoughts = parts.some(({ type }) => type === 'reasoning');
  return hasThoughts ? own : { ...own, parts: own.parts!.filter(({ thought }) => thought !== true) };
}
