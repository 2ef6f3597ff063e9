import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { JsonMessage } from '../http/api.js';

const plain = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
const perMessage = 3;

/** Tokens of OpenAI messages by OpenAI's published rule, counted independently of the engine. */
export function countedTokens(messages: readonly JsonMessage[]): number {
  const of = (text: string) => countTokens(text, plain);
  return messages.reduce((sum, { role, content, tool_calls }) => {
    const calls = (tool_calls ?? []) as { function: { name: string; arguments: string } }[];
    const called = calls.reduce((all, call) => all + of(call.function.name) + of(call.function.arguments), 0);
    return sum + perMessage + of(role) + of(textOf(content)) + called;
  }, 0);
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : ((content ?? []) as { text?: string }[]).map((part) => part.text ?? '').join('');
