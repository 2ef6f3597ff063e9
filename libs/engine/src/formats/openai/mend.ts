import type { Body } from '../../messages/message.js';
import { emptyMessage } from '../parts.js';

/** OpenAI refuses empty lists of tool calls and of parts, and an assistant message without content, calls or refusal. */
export function mendOpenAI(body: Body): Body {
  if (body.role !== 'assistant') return body;
  const { tool_calls: calls, ...rest } = body;
  const hasNoCalls = calls === undefined || calls === null || isEmptyList(calls);
  if (hasNoCalls && !saysAnything(body)) return { ...rest, content: emptyMessage };
  const mended = isEmptyList(calls) ? rest : body;
  return isEmptyList(body.content) ? { ...mended, content: null } : mended;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const saysAnything = ({ content, refusal, audio, function_call: call, ...rest }: Body): boolean =>
  (typeof content === 'string' && content !== '') ||
  (Array.isArray(content) && content.length > 0) ||
  [refusal, audio, call, rest.reasoning_content].some(
    (value) => value !== undefined && value !== null && value !== '',
  );
