import { isDeepStrictEqual } from 'node:util';
import type { Context } from '@spillway/client';
import { arrayOr, isObject, objectOr, textOrNull } from '../import/sources/json-value.js';

/** What is checked of every context, by the word of the report. */
export const checkNames = ['budget', 'prefix', 'pairs'] as const;
export type CheckName = (typeof checkNames)[number];

/** A check that failed: which context, and what was wrong with it. */
export interface Failure {
  check: CheckName;
  /** The newest message of the context. */
  at: number;
  what: string;
}

/** Checks a context alone and with the one before it. */
export function failuresOf(context: Context, before: Context | null): Failure[] {
  const at = context.last_seq;
  const { total } = context.tokens;
  const { limit } = context.budget;
  const pairs = faultOfPairs(context);
  const prefix = before === null ? null : faultOfPrefix(context, before);
  return [
    ...(total > limit ? [{ check: 'budget' as const, at, what: `${total} tokens, limit ${limit}` }] : []),
    ...(prefix === null ? [] : [{ check: 'prefix' as const, at, what: prefix }]),
    ...(pairs === null ? [] : [{ check: 'pairs' as const, at, what: pairs }]),
  ];
}

/** Whether prompt caches keep hitting: without a fold in between, a context begins with the whole one before it. */
function faultOfPrefix(context: Context, before: Context): string | null {
  if (context.degraded || before.degraded) return null;
  if (context.summary?.generation !== before.summary?.generation) return null;
  const differing = before.messages.findIndex(
    (message, i) => !isDeepStrictEqual(message, context.messages[i]),
  );
  return differing < 0 ? null : `message ${differing + 1} is not that of the context before`;
}

/** Providers refuse a result without its call, and a call without a result. */
function faultOfPairs({ messages, pending_calls: pending }: Context): string | null {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const { calls, results } of messages.map(idsOf)) {
    for (const id of results) {
      if (!known.has(id)) return `the result of ${id} has no call before it`;
      open.delete(id);
    }
    for (const id of calls) {
      known.add(id);
      open.add(id);
    }
  }
  for (const { call_id: id } of pending) open.delete(id);
  const [first] = open;
  return first === undefined ? null : `the call ${first} has no result`;
}

/**
 * The ids of tool calls and results of a message of any format. Without those of tools that the provider runs: the AI SDK
 * has their results in the message of the assistant, if at all, and Responses the output of a program.
 */
function idsOf(message: unknown): { calls: string[]; results: string[] } {
  const value = objectOr(message);
  const { role, tool_calls: toolCalls, tool_call_id: answered, content, type, call_id: callId } = value;
  const blocks = arrayOr(content).filter(isObject);
  const texts = (values: readonly unknown[]): string[] => values.flatMap((value) => textOrNull(value) ?? []);
  const isOutput = typeof type === 'string' && type.endsWith('_output') && type !== 'program_output';
  const isCall = typeof type === 'string' && type.endsWith('_call');
  return {
    calls: texts([
      ...arrayOr(toolCalls).map((call) => objectOr(call).id),
      ...blocks.filter((block) => block.type === 'tool_use').map((block) => block.id),
      ...blocks
        .filter((block) => block.type === 'tool-call' && block.providerExecuted !== true)
        .map((block) => block.toolCallId),
      ...(isCall ? [callId] : []),
    ]),
    results: texts([
      answered,
      ...blocks.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id),
      ...blocks
        .filter((block) => block.type === 'tool-result' && role === 'tool')
        .map((block) => block.toolCallId),
      ...(isOutput ? [callId ?? (type === 'local_shell_call_output' ? value.id : undefined)] : []),
    ]),
  };
}
