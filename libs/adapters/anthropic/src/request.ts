import type { Context } from '@spillway/client';

interface Block {
  type: string;
  text?: string;
  cache_control?: unknown;
  /** Of a result, and of others that hold parts. */
  content?: unknown;
}

interface Message {
  role: string;
  content: string | Block[];
}

/** The body of a request to POST /v1/messages, as far as it matters here. */
export interface MessagesBody {
  model: string;
  messages: Message[];
  system?: string | Block[];
  tools?: object[];
  thinking?: unknown;
  /** A conversation that Anthropic holds. */
  thread?: unknown;
  [key: string]: unknown;
}

/** Returns the text of the system prompt, or undefined without one. */
export function systemOf({ system }: MessagesBody): string | undefined {
  if (system === undefined || typeof system === 'string') return system;
  return system.map(({ text }) => text).join('\n');
}

/**
 * Returns the messages without the marks of the prefix to cache. Callers put these at the end, so that they move from
 * call to call, and Anthropic takes four.
 */
export const historyOf = ({ messages }: MessagesBody): object[] =>
  messages.map((message) => {
    const { content } = message;
    return typeof content === 'string' ? message : { ...message, content: content.map(withoutMark) };
  });

function withoutMark({ cache_control: _, ...block }: Block): Block {
  return 'content' in block && Array.isArray(block.content)
    ? { ...block, content: (block.content as Block[]).map(withoutMark) }
    : block;
}

const marksOf = ({ cache_control: mark, content }: Block): unknown[] => [
  ...(Array.isArray(content) ? (content as Block[]).flatMap(marksOf) : []),
  ...(mark ? [mark] : []),
];

/** A context, as far as it matters here. */
export type Served = Pick<Context, 'messages' | 'system' | 'summary' | 'reasoning' | 'elided'>;

/** Returns the caller's request with the context of the thread in place of its messages. */
export function requestWith(body: MessagesBody, served: Served): MessagesBody {
  const { thinking, ...rest } = body;
  const { system } = served;
  const messages = served.messages as unknown as Message[];
  const mark = body.messages.flatMap(blocksOf).flatMap(marksOf).at(-1);
  return {
    ...rest,
    ...(thinking === undefined || mustStop(thinking, served) ? {} : { thinking }),
    ...(system === null || system === systemOf(body) ? {} : { system }),
    messages: mark === undefined ? messages : markLast(messages, mark),
  };
}

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Puts the caller's mark at the end of the context, as the caller had it at the end of its messages. */
function markLast(messages: readonly Message[], mark: unknown): Message[] {
  const last = messages.at(-1)!;
  const blocks = blocksOf(last);
  const content = [...blocks.slice(0, -1), { ...blocks.at(-1)!, cache_control: mark }];
  return [...messages.slice(0, -1), { ...last, content }];
}

/**
 * Whether thinking must be off until the running tool loop ends. With thinking always on, Claude refuses a loop that does
 * not begin with its thinking: a fold left it out, or the loop went on without it since then. A loop that no fold changed
 * is as the caller sent it, and where the model decides when to think any loop is valid.
 */
function mustStop(thinking: unknown, { messages, summary, reasoning, elided }: Served): boolean {
  const isAlwaysOn = (thinking as { type?: unknown } | null)?.type === 'enabled';
  const lost = reasoning.why.some((why) => why !== 'prefix_changed');
  const shortened = elided.some(({ reason }) => reason === 'shortened');
  const isChanged = summary !== null || lost || shortened;
  return isAlwaysOn && isChanged && isLoopWithoutThinking(messages as unknown as Message[]);
}

/** Whether the context ends in a tool loop whose newest calls do not begin with thinking. */
function isLoopWithoutThinking(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  const called = messages.findLast(({ role }) => role === 'assistant');
  const runs = last?.role === 'user' && blocksOf(last).some(({ type }) => type === 'tool_result');
  if (!runs || !called) return false;
  const first = blocksOf(called)[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}
