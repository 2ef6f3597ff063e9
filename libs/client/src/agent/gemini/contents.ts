import type { Message } from '../../thread.js';
import { ownMessages, ownResults } from '../own-messages.js';
import { CallIds, isOfUnknownCall } from './call-ids.js';
import type { GeminiContent, GeminiPart } from './content.js';
import { partOf, writtenPart, type MessagePart } from './parts.js';

/** A model message of the AI SDK, as Spillway records it. */
interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string | MessagePart[];
}

/** A model message of the AI SDK, with the caller's own content that it comes from. */
export type GeminiMessage = readonly [message: Message, own: GeminiContent];

/**
 * Returns the contents of a request to Gemini as messages. Results of functions are a message of their own. `isWhole`:
 * the contents have the beginning of the conversation, so that calls without an id can be numbered.
 */
export function geminiHistory(contents: readonly GeminiContent[], { isWhole = true } = {}): GeminiMessage[] {
  const ids = new CallIds(isWhole);
  return contents.flatMap(({ role, parts = [] }): GeminiMessage[] => {
    ids.begin();
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

/** Returns the function of the first result that has no id and no call before it; undefined without such a result. */
export const functionOfUnknownCall = (messages: readonly Message[]): string | undefined =>
  (messages as ModelMessage[])
    .flatMap((message) => (message.role === 'tool' ? partsOf(message) : []))
    .find(({ toolCallId }) => isOfUnknownCall(toolCallId))?.toolName;

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
      const results = parts.flatMap((part) => ownResult(part) ?? writtenPart(part));
      if (before === 'tool') contents.at(-1)!.parts!.push(...results);
      else contents.push({ role: 'user', parts: results });
    } else {
      const own = owns[i];
      const role = message.role === 'assistant' ? 'model' : 'user';
      contents.push(
        own ? withReasoningOf(own, parts) : { role, parts: parts.filter(isOfCaller).flatMap(writtenPart) },
      );
    }
    before = message.role;
  }
  // Gemini refuses a content without parts, such as one of thoughts alone that the context leaves out.
  return contents.filter(({ parts }) => parts!.length > 0);
}

const partsOf = ({ content }: ModelMessage): MessagePart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Calls that a provider ran, and their results, are no functions. */
const isOfCaller = ({ type, providerExecuted }: MessagePart): boolean =>
  type !== 'tool-result' && providerExecuted !== true;

/** Leaves thoughts out where the context does. */
function withReasoningOf(own: GeminiContent, parts: readonly MessagePart[]): GeminiContent {
  const hasThoughts = parts.some(({ type }) => type === 'reasoning');
  return hasThoughts ? own : { ...own, parts: own.parts!.filter(({ thought }) => thought !== true) };
}
