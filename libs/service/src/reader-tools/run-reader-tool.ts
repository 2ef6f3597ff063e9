import { readerToolNames, SpillwayError, type ErrorCode } from '@spillway/engine';
import type { Runtime } from '../runtime.js';
import { getThread } from '../threads/get-thread.js';
import { grepOutputTool } from './grep-output-tool.js';
import { outlineOutputTool } from './outline-output-tool.js';
import { writtenCall, type AnswerRoom, type ReaderAnswer } from './reader-answer.js';
import { readMessageTool } from './read-message-tool.js';
import { readOutputTool } from './read-output-tool.js';
import type { ReaderCall, ReaderScope, ReaderThread } from './reader-call.js';
import { searchHistoryTool } from './search-history-tool.js';

/** The default of an answer's tokens: smaller than the threshold above which a result is offloaded. */
const defaultTokens = 2_000;
const minTokens = 200;

/** Mistakes of the model: it can read the message and call again. */
const mistakes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'output_not_found',
  'output_gone',
  'message_not_found',
  'unsupported_regex',
  'not_json',
  'path_too_costly',
  'kept_too_large',
  'message_rewound',
  'search_timeout',
]);

/**
 * Runs a call of a reader tool on one thread. The answer is text for the model within `maxTokens`. What the model did
 * wrong is an answer too. Reads no output and no message of another thread. Throws `thread_not_found`,
 * `too_many_searches`.
 */
export const runReaderTool = (rt: Runtime, of: ReaderThread, call: ReaderCall): Promise<ReaderAnswer> =>
  answerWithin(rt, of, (scope) => run(rt, scope, call));

/** Answers a model within a thread. What the model did wrong is an answer too. Throws `thread_not_found`. */
export async function answerWithin(
  rt: Runtime,
  of: ReaderThread,
  answer: (scope: ReaderScope) => Promise<ReaderAnswer>,
): Promise<ReaderAnswer> {
  const thread = await getThread(rt, of.projectId, of.threadId);
  const { policy, budget, count } = await rt.settings.ofRow(thread);
  const quarter = Math.max(minTokens, Math.floor(budget.limit / 4));
  const { structured = false } = of;
  const room = { maxTokens: of.maxTokens ?? Math.min(defaultTokens, quarter), count, structured };
  const { projectId, threadId } = of;
  const { names, also } = of.calls ?? { names: readerToolNames(policy.outputs.tool_names), also: {} };
  const callOf: ReaderScope['callOf'] = (tool, args) => writtenCall(names[tool], { ...also, ...args });
  try {
    return await answer({ projectId, threadId, threadUid: thread.uid, room, callOf });
  } catch (error) {
    if (error instanceof SpillwayError && mistakes.has(error.code)) return mistake(error.message, room);
    throw error;
  }
}

/** An answer that says what the model did wrong. */
export function mistake(message: string, { count }: Pick<AnswerRoom, 'count'>): ReaderAnswer {
  const text = `Error: ${message}`;
  return { text, isError: true, tokens: count(text) };
}

function run(rt: Runtime, scope: ReaderScope, call: ReaderCall): Promise<ReaderAnswer> {
  switch (call.tool) {
    case 'read_output':
      return readOutputTool(rt, scope, call.arguments);
    case 'grep_output':
      return grepOutputTool(rt, scope, call.arguments);
    case 'outline_output':
      return outlineOutputTool(rt, scope, call.arguments);
    case 'search_history':
      return searchHistoryTool(rt, scope, call.arguments);
    case 'read_message':
      return readMessageTool(rt, scope, call.arguments);
  }
}
