import { createHash } from 'node:crypto';
import type { JsonMessage } from '../http/api.js';

/** All that a provider is sent before a block of reasoning. */
export interface Prefix {
  /** The system prompt beside the messages. */
  system?: unknown;
  tools?: unknown;
  messages: readonly JsonMessage[];
}

/**
 * Signs a block of reasoning as a strict provider does: for the model that made it and for all that stood before it. A
 * stub provider answers with this signature and refuses a block whose prefix has another one (`checkSigned`).
 */
export function signThinking(model: string, { system, tools, messages }: Prefix): string {
  // Where a caller marks the prefix to cache is nothing that the model sees.
  const seen = JSON.stringify([system ?? null, tools ?? null, messages], (name, value: unknown) =>
    name === 'cache_control' ? undefined : value,
  );
  return `${model}:${createHash('sha256').update(seen).digest('base64url')}`;
}

/** Seals reasoning as OpenAI does: only the model that made it can open it, whatever stands before it. */
export const sealReasoning = (model: string): string => `sealed:${model}`;

/** A signature or a seal of a block, wherever its format puts it. */
function signaturesOf(message: JsonMessage): string[] {
  const of = (block: JsonMessage): unknown[] => {
    const options = Object.values((block.providerOptions ?? {}) as Record<string, JsonMessage>);
    return [block.signature, block.data, block.encrypted_content, ...options.map((one) => one.signature)];
  };
  const isReasoning = ({ type }: JsonMessage) =>
    type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning';
  const blocks = Array.isArray(message.content) ? (message.content as JsonMessage[]) : [];
  const details = (message.reasoning_details ?? []) as JsonMessage[];
  return [...[message, ...blocks].filter(isReasoning), ...details]
    .flatMap(of)
    .filter((signature): signature is string => typeof signature === 'string');
}

/** What a strict provider says of the signed reasoning in a request for this model; null when every block holds. */
export function checkSigned(model: string, request: Prefix): string | null {
  const { messages } = request;
  for (const [i, message] of messages.entries()) {
    // The messages of one turn of the model were made from the same prefix, or each from all before it.
    let start = i;
    while (start > 0 && isModels(messages[start - 1]!)) start--;
    const valid = [start, i].map((end) =>
      signThinking(model, { ...request, messages: messages.slice(0, end) }),
    );
    for (const signature of signaturesOf(message)) {
      if (signature.startsWith('sealed:')) {
        if (signature !== sealReasoning(model)) return `message ${i} has reasoning that another model sealed`;
      } else if (!valid.includes(signature)) {
        return `message ${i} has reasoning whose signature does not hold for what stands before it`;
      }
    }
  }
  return null;
}

const isModels = (message: JsonMessage): boolean =>
  typeof message.role === 'string'
    ? message.role === 'assistant'
    : typeof message.type === 'string' && !message.type.endsWith('_output');
