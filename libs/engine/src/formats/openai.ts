import { mediaTokens, messageOverhead, type Body, type Message, type ToolCall } from '../message.js';
import type { Role } from '../entry.js';
import type { CountTokens } from '../tokens/counter.js';

/** OpenAI chat format: https://platform.openai.com/docs/api-reference/chat. Unknown fields are kept and counted. */
export function readOpenAI(body: Body): Message {
  const parts = Array.isArray(body.content) ? (body.content as Body[]) : [];
  const texts =
    typeof body.content === 'string' ? [body.content] : parts.flatMap((part) => partText(part) ?? []);
  if (typeof body.refusal === 'string') texts.push(body.refusal);
  return {
    role: body.role as Role,
    text: texts.join('\n'),
    media: parts.filter((part) => partText(part) === undefined).length,
    calls: Array.isArray(body.tool_calls) ? (body.tool_calls as Body[]).map(readCall) : [],
    answers: body.role === 'tool' ? String(body.tool_call_id) : null,
    name: typeof body.name === 'string' ? body.name : null,
  };
}

const partText = (part: Body): string | undefined => {
  const text = part.text ?? part.refusal;
  return typeof text === 'string' ? text : undefined;
};

function readCall(call: Body): ToolCall {
  const fn = (call.function ?? call.custom ?? {}) as Body;
  return { id: String(call.id), name: textOf(fn.name), input: textOf(fn.arguments ?? fn.input) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const known = new Set(['role', 'content', 'refusal', 'tool_calls', 'tool_call_id', 'name']);

/** Every text of a message that a model is sent, so that a caller may count them one at a time. */
export function countableTexts(body: Body): string[] {
  const message = readOpenAI(body);
  const extra = Object.entries(body).filter(([key, value]) => !known.has(key) && value !== null);
  return [
    message.text,
    message.name ?? '',
    ...message.calls.flatMap((call) => [call.name, call.input]),
    ...(extra.length > 0 ? [JSON.stringify(Object.fromEntries(extra))] : []),
  ].filter((text) => text !== '');
}

/** Tokens that a message takes beside its texts. */
export const fixedTokens = (body: Body): number => messageOverhead + readOpenAI(body).media * mediaTokens;

/** Tokens of one message. An upper bound for unknown fields, which are counted as JSON. */
export const countOpenAI = (body: Body, count: CountTokens): number =>
  fixedTokens(body) + countableTexts(body).reduce((sum, text) => sum + count(text), 0);

export const userMessage = (content: string): Body => ({ role: 'user', content });
export const toolResult = (callId: string, content: string): Body => ({
  role: 'tool',
  tool_call_id: callId,
  content,
});
