import type { Body } from '../../messages/message.js';
import { emptyMessage } from '../parts.js';

/** OpenAI refuses an empty list of tool calls, and an assistant message without content, calls or refusal. */
export function mendOpenAI(body: Body): Body {
  if (body.role !== 'assistant') return body;
  const { tool_calls: calls, ...rest } = body;
  const hasNoCalls = calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0);
  if (hasNoCalls && !saysAnything(body)) return { ...rest, content: emptyMessage };
  return hasNoCalls && Array.isArray(calls) ? rest : body;
}

const saysAnything = ({ content, refusal, audio, function_call: call, ...rest }: Body): boolean =>
  (typeof content === 'string' && content !== '') ||
  (Array.isArray(content) && content.length > 0) ||
  [refusal, audio, call, rest.reasoning_content].some(
    (value) => value !== undefined && value !== null && value !== '',
  );
