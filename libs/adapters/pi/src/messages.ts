import { ownMessages } from '@spillway/client/agent';
import type { Block, Model, PiMessage } from './pi.js';

/** A part of a model message of the AI SDK. */
interface Part {
  type: string;
  [key: string]: unknown;
}

interface ModelMessage {
  role: string;
  content: string | Part[];
  [key: string]: unknown;
}

/** Returns the messages of a session that pi sends to the model, as model messages of the AI SDK. */
export const historyOf = (messages: readonly PiMessage[]): ModelMessage[] =>
  messages.flatMap((message) => modelMessage(message) ?? []);

/** Returns null for what the model is not sent: answers that broke off or are empty, and `!!` commands. */
export function modelMessage(message: PiMessage): ModelMessage | null {
  const { role, content = [], summary } = message;
  switch (role) {
    case 'user':
    case 'custom':
      return { role: 'user', content: typeof content === 'string' ? content : content.map(partOf) };
    case 'assistant':
      return isUnfinished(message) || content.length === 0
        ? null
        : { role, content: blocksOf(content).map(partOf) };
    case 'toolResult':
      return { role: 'tool', content: [resultPart(message)] };
    case 'bashExecution':
      return message.excludeFromContext ? null : { role: 'user', content: commandText(message) };
    case 'branchSummary':
    case 'compactionSummary':
      return { role: 'user', content: summary ?? '' };
    default:
      return null;
  }
}

/** pi keeps an answer that failed or was aborted in the session, and sends it never again. */
export const isUnfinished = ({ stopReason }: PiMessage): boolean =>
  stopReason === 'error' || stopReason === 'aborted';

const blocksOf = (content: string | Block[]): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const commandText = ({ command, output }: PiMessage): string =>
  `Ran \`${command}\`\n${output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'}`;

function partOf(block: Block): Part {
  const { type, text, thinking, thinkingSignature: signature, redacted } = block;
  if (type === 'thinking') return { type: 'reasoning', ...reasoningOf(thinking, signature, redacted) };
  if (type === 'toolCall')
    return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments };
  if (type === 'image') return { type, image: block.data, mediaType: block.mimeType };
  return { type: 'text', text };
}

/** The signature of other providers is an item of their own, which stays in the caller's message. */
function reasoningOf(text = '', signature?: string, redacted?: boolean): object {
  if (redacted) return { text, providerOptions: { anthropic: { redactedData: signature } } };
  return { text, ...(signature ? { providerOptions: { anthropic: { signature } } } : {}) };
}

/** In a result the AI SDK has another form for images than in a question. */
const resultBlock = (block: Block): Part =>
  block.type === 'image'
    ? { type: 'image-data', data: block.data, mediaType: block.mimeType }
    : partOf(block);

function resultPart({ toolCallId, toolName, isError, content = [] }: PiMessage): Part {
  const blocks = blocksOf(content);
  const isText = blocks.every(({ type }) => type === 'text');
  const output = isText
    ? { type: isError ? 'error-text' : 'text', value: blocks.map(({ text }) => text).join('\n') }
    : { type: 'content', value: blocks.map(resultBlock) };
  return { type: 'tool-result', toolCallId, toolName, output };
}

/**
 * Returns the messages of a context as pi's. What the session has is the session's own message, so that nothing is lost
 * that pi keeps in it for the provider: stubs, notes and summaries are new.
 */
export function contextMessages(
  context: readonly object[],
  history: readonly PiMessage[],
  model: Model,
): PiMessage[] {
  const pairs = history.flatMap((message): [ModelMessage, PiMessage][] => {
    const sent = modelMessage(message);
    return sent ? [[sent, message]] : [];
  });
  const results = history.filter(({ role }) => role === 'toolResult');
  const owns = ownMessages(context, pairs);
  const timestamp = history.at(-1)?.timestamp ?? 0;
  return (context as ModelMessage[]).flatMap(({ role, content }, i): PiMessage[] => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'tool') return parts.map((part) => resultMessage(part, results, timestamp));
    const own = owns[i];
    if (role === 'assistant')
      return [own ? withReasoningOf(own, parts) : answerMessage(parts, model, timestamp)];
    return [own ?? { role: 'user', content: parts.map(blockOf), timestamp }];
  });
}

function resultMessage(part: Part, results: readonly PiMessage[], timestamp: number): PiMessage {
  const ofId = results.filter(({ toolCallId }) => toolCallId === part.toolCallId);
  const output = JSON.stringify(part.output);
  const same = ofId.findLast((one) => JSON.stringify(resultPart(one).output) === output);
  if (same) return same;
  // Of several results with one id nothing says which one a stub stands for.
  const own = ofId.length === 1 ? ofId[0] : undefined;
  const { type, value } = part.output as Part;
  const content =
    type === 'content'
      ? (value as Part[]).map(blockOf)
      : [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
  return {
    role: 'toolResult',
    toolCallId: part.toolCallId as string,
    toolName: part.toolName as string,
    isError: type.startsWith('error'),
    timestamp,
    ...own,
    content,
  };
}

/** Leaves reasoning out where the context does: its provider would refuse it. */
function withReasoningOf(own: PiMessage, parts: readonly Part[]): PiMessage {
  if (parts.some(({ type }) => type === 'reasoning')) return own;
  return { ...own, content: blocksOf(own.content ?? []).filter(({ type }) => type !== 'thinking') };
}

/** An answer that the session no longer has, because pi compacted it, or has in another form. */
function answerMessage(parts: readonly Part[], model: Model, timestamp: number): PiMessage {
  const { api, provider, id } = model;
  const content = parts.map(blockOf);
  return {
    role: 'assistant',
    content,
    api,
    provider,
    model: id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp,
  };
}

function blockOf(part: Part): Block {
  const { type } = part;
  if (type === 'tool-call')
    return {
      type: 'toolCall',
      id: part.toolCallId as string,
      name: part.toolName as string,
      arguments: part.input as Record<string, unknown>,
    };
  if (type === 'image' || type === 'image-data') {
    const data = (part.image ?? part.data) as string;
    return { type: 'image', data, mimeType: (part.mediaType as string) ?? 'image/png' };
  }
  if (type !== 'reasoning') return { type: 'text', text: part.text as string };
  const { anthropic } = (part.providerOptions ?? {}) as { anthropic?: Record<string, string> };
  const { signature, redactedData } = anthropic ?? {};
  return {
    type: 'thinking',
    thinking: part.text as string,
    ...(signature ? { thinkingSignature: signature } : {}),
    ...(redactedData ? { thinkingSignature: redactedData, redacted: true } : {}),
  };
}
