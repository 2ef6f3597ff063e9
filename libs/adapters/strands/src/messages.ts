import { ownMessages, ownResults } from '@spillway/client/agent';
import type { Block, MessageJson, StrandsMessage } from './sdk.js';
import { fileOf, mediaOf, type FilePart } from './media.js';
import { outputOf, resultOf, type Output } from './results.js';

/** A part of a model message of the AI SDK. */
interface Part extends Partial<Omit<FilePart, 'type'>> {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: Output;
  providerOptions?: Record<string, Record<string, string>>;
}

/** A model message of the AI SDK, as Spillway records it. */
export interface Message {
  role: 'user' | 'assistant' | 'tool';
  content: string | Part[];
}

/** What a message says, in JSON, and the agent's own message if that says nothing else. */
export interface Own {
  json: MessageJson;
  message?: StrandsMessage;
}

/** A message with the agent's own one that it comes from. */
export type Spoken = readonly [message: Message, own: Own];

/** Returns the messages of an agent as messages of the AI SDK. Results of tools are a message of their own. */
export function historyOf(messages: readonly StrandsMessage[]): Spoken[] {
  const names = new Map<string, string>();
  return messages.flatMap((message): Spoken[] => {
    const { role, content } = message.toJSON() as MessageJson;
    for (const { toolUse } of content) if (toolUse) names.set(toolUse.toolUseId, toolUse.name);
    const results = content.filter(({ toolResult }) => toolResult);
    const others = content.filter(({ toolResult }) => !toolResult);
    const whole = results.length === 0 || others.length === 0 ? { message } : {};
    const spoken = (as: Message['role'], blocks: Block[]): Spoken[] => {
      const parts = blocks.flatMap((block) => partOf(block, names));
      return parts.length === 0
        ? []
        : [
            [
              { role: as, content: parts },
              { json: { role, content: blocks }, ...whole },
            ],
          ];
    };
    return [...spoken('tool', results), ...spoken(role, others)];
  });
}

function partOf(block: Block, names: ReadonlyMap<string, string>): Part[] {
  const { text, toolUse, toolResult, reasoning, citations, guardContent } = block;
  if (text !== undefined) return [{ type: 'text', text }];
  if (toolUse) {
    const { toolUseId, name, input, reasoningSignature: thoughtSignature } = toolUse;
    // Under the name that packages of the AI SDK have for it.
    const signed =
      thoughtSignature === undefined ? {} : { providerOptions: { google: { thoughtSignature } } };
    return [{ type: 'tool-call', toolCallId: toolUseId, toolName: name, input: input ?? {}, ...signed }];
  }
  if (toolResult) {
    const { toolUseId } = toolResult;
    const toolName = names.get(toolUseId) ?? 'unknown_tool';
    return [{ type: 'tool-result', toolCallId: toolUseId, toolName, output: outputOf(toolResult) }];
  }
  if (reasoning) return [reasoningPart(reasoning)];
  if (citations)
    return [{ type: 'text', text: (citations.content ?? []).map((one) => one.text ?? '').join('') }];
  if (guardContent?.text) return [{ type: 'text', text: guardContent.text.text }];
  const file = fileOf(block);
  return file ? [file] : [];
}

function reasoningPart({ text = '', signature, redactedContent }: NonNullable<Block['reasoning']>): Part {
  const sealed = {
    ...(signature === undefined ? {} : { signature }),
    ...(redactedContent === undefined ? {} : { redactedData: redactedContent }),
  };
  const isSealed = Object.keys(sealed).length > 0;
  return { type: 'reasoning', text, ...(isSealed ? { providerOptions: { anthropic: sealed } } : {}) };
}

/**
 * Returns the messages of a context as the agent's own where it has them, and in JSON where it has not: stubs, notes and
 * summaries are new. All results of a step are one message of the user.
 */
export function messagesOf(
  context: readonly object[],
  history: readonly Spoken[],
): (StrandsMessage | MessageJson)[] {
  const owns = ownMessages(context, history);
  const ownResult = ownResults(
    history.flatMap(([message, own]) =>
      message.role === 'tool' ? partsOf(message).map((part, i) => [part, own.json.content[i]!] as const) : [],
    ),
  );
  const messages: (StrandsMessage | MessageJson)[] = [];
  let step: Block[] | undefined;
  for (const [i, message] of (context as Message[]).entries()) {
    const parts = partsOf(message);
    if (message.role === 'tool') {
      const results = parts.map((part) => ownResult(part) ?? resultBlock(part));
      if (step) step.push(...results);
      else messages.push({ role: 'user', content: (step = results) });
      continue;
    }
    step = undefined;
    messages.push(
      owns[i] ? ownMessage(owns[i], parts) : { role: message.role, content: parts.flatMap(blockOf) },
    );
  }
  // Providers refuse a message without content, such as one of reasoning alone that the context leaves out.
  return messages.filter(({ content }) => content.length > 0);
}

const partsOf = ({ content }: Message): Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const resultBlock = ({ toolCallId = '', output }: Part): Block => ({
  toolResult: { toolUseId: toolCallId, ...resultOf(output) },
});

function blockOf(part: Part): Block[] {
  const { type, text = '', toolCallId = '', toolName = '', input, providerOptions } = part;
  if (type === 'tool-call') {
    const reasoningSignature = providerOptions?.google?.thoughtSignature;
    const signed = reasoningSignature === undefined ? {} : { reasoningSignature };
    return [{ toolUse: { name: toolName, toolUseId: toolCallId, input, ...signed } }];
  }
  if (type === 'file') return [mediaOf(part as FilePart)];
  return type === 'text' && text !== '' ? [{ text }] : [];
}

/** Leaves reasoning out where the context does: its provider would refuse it. */
function ownMessage({ json, message }: Own, parts: readonly Part[]): StrandsMessage | MessageJson {
  const isShown =
    parts.some(({ type }) => type === 'reasoning') || !json.content.some(({ reasoning }) => reasoning);
  if (isShown) return message ?? json;
  return { ...json, content: json.content.filter(({ reasoning }) => !reasoning) };
}
