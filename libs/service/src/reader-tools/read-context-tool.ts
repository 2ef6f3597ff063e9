import { clipHead, readMessage, searchableMessage } from '@spillway/engine';
import { readContext } from '../context/read-context.js';
import type { ReadContext } from '../context/context.js';
import type { Runtime } from '../runtime.js';
import { answerOf, footerTokens, type AnswerRoom, type ReaderAnswer } from './reader-answer.js';
import type { ReaderScope, ReaderThread } from './reader-call.js';
import { answerWithin } from './run-reader-tool.js';

/** Share of an answer that the summary may take. */
const summaryShare = 0.5;
const minTextTokens = 40;

/**
 * The context that a model would get now, as text within `maxTokens`: the summary, then the newest messages that fit.
 * It is not recorded as served. Throws `thread_not_found`, `budget_too_small`.
 */
export const readContextTool = (rt: Runtime, of: ReaderThread): Promise<ReaderAnswer> =>
  answerWithin(rt, of, async (scope) => {
    const context = await readContext(rt, { projectId: of.projectId, threadId: of.threadId });
    const { texts, firstSeq } = textsOf(context, scope.room);
    return answerOf(texts.join('\n\n'), footerOf(context, firstSeq, scope), scope.room);
  });

/** The texts shown, and the seq of the first of the newest messages among them. */
function textsOf(
  { messages, parts, format, summary }: ReadContext,
  { maxTokens, count }: AnswerRoom,
): { texts: string[]; firstSeq: number | null } {
  const blocks = messages.map((body, i) => {
    const { kind, seq } = parts[i]!;
    const message = readMessage({ format, body });
    const of = summary ? ` of messages ${summary.fromSeq}-${summary.toSeq}` : '';
    const head = kind === 'summary' ? `[summary${of}]` : `[message ${seq ?? '?'}, ${message.role}]`;
    return { kind, seq, head, text: searchableMessage(message).text.trim() };
  });
  let left = maxTokens - footerTokens;
  const write = ({ head, text }: { head: string; text: string }, most: number): string | null => {
    const space = Math.min(left, most) - count(head) - 4;
    if (space < minTextTokens && count(text) > space) return null;
    const shown = `${head}\n${count(text) <= space ? text : `${clipHead(text, space - 4, count)} [cut]`}`;
    left -= count(shown) + 2;
    return shown;
  };
  const folded = blocks.find(({ kind }) => kind === 'summary');
  const first = folded && write(folded, left * summaryShare);
  const newest: string[] = [];
  let firstSeq: number | null = null;
  for (const block of blocks.filter(({ kind }) => kind === 'recent').reverse()) {
    const isWhole = count(`${block.head}\n${block.text}`) + 4 <= left;
    const shown = isWhole || newest.length === 0 ? write(block, left) : null;
    if (shown === null) break;
    newest.unshift(shown);
    firstSeq = block.seq ?? firstSeq;
  }
  return { texts: [...(first ? [first] : []), ...newest], firstSeq };
}

function footerOf(
  { lastSeq, summary, tokens, budget, pendingCalls }: ReadContext,
  firstSeq: number | null,
  { callOf }: ReaderScope,
): string {
  const shown = firstSeq === null ? 'No messages.' : `Messages ${firstSeq}-${lastSeq} of ${lastSeq}.`;
  const from = (summary?.toSeq ?? 0) + 1;
  const earlier =
    firstSeq !== null && firstSeq > from ? ` Earlier: ${callOf('read_message', { seq: firstSeq - 1 })}` : '';
  const open = pendingCalls.length > 0 ? ` ${pendingCalls.length} calls wait for a result.` : '';
  return `[${shown} The context has ${tokens.total} of ${budget.limit} tokens.${open}${earlier}]`;
}
