import type { Body } from '../../messages/message.js';
import { changedList, emptyMessage, isBody, without } from '../parts.js';

/**
 * OpenAI refuses empty lists of tool calls and of parts, and an assistant message without content, calls or refusal.
 * What its SDK parsed is no part of a message.
 */
export function mendOpenAI(posted: Body): Body {
  if (posted.role !== 'assistant') return posted;
  const body = withoutParsed(posted);
  const { tool_calls: calls, ...rest } = body;
  const hasNoCalls = calls === undefined || calls === null || isEmptyList(calls);
  if (hasNoCalls && !saysAnything(body)) return { ...rest, content: emptyMessage };
  const mended = isEmptyList(calls) ? rest : body;
  return isEmptyList(body.content) ? { ...mended, content: null } : mended;
}

function withoutParsed(posted: Body): Body {
  const body = without(posted, 'parsed');
  const { tool_calls: calls } = body;
  if (!Array.isArray(calls)) return body;
  const mended = changedList(calls, withoutParsedArguments);
  return mended === calls ? body : { ...body, tool_calls: mended };
}

function withoutParsedArguments(call: unknown): unknown {
  if (!isBody(call) || !isBody(call.function)) return call;
  const called = without(call.function, 'parsed_arguments');
  return called === call.function ? call : { ...call, function: called };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const saysAnything = ({ content, refusal, audio, function_call: call, ...rest }: Body): boolean =>
  (typeof content === 'string' && content !== '') ||
  (Array.isArray(content) && content.length > 0) ||
  [refusal, audio, call, rest.reasoning_content].some(
    (value) => value !== undefined && value !== null && value !== '',
  );
