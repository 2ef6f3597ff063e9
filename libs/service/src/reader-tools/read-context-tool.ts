import {
  clipHead,
  participantOf,
  readMessage,
  searchableMessage,
  speakerFields,
  speakerName,
  type Speaker,
} from '@spillway/engine';
import { readContext } from '../context/read-context.js';
import type { ReadContext } from '../context/context.js';
import type { Runtime } from '../runtime.js';
import { answerOf, footerTokens, type AnswerRoom, type ReaderAnswer } from './reader-answer.js';
import type { ReaderScope, ReaderThread } from './reader-call.js';
import { answerWithin } from './run-reader-tool.js';
import { clipForJson, itemTokens } from './structure-tokens.js';

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
    const { summary, messages } = shownOf(context, scope.room);
    const firstSeq = messages.find(({ seq }) => seq !== null)?.seq ?? null;
    const texts = [...(summary ? [summary] : []), ...messages].map(textOf);
    return answerOf(texts.join('\n\n'), footerOf(context, firstSeq, scope), scope.room, {
      summary: summary && {
        from_seq: context.summary?.fromSeq ?? null,
        to_seq: context.summary?.toSeq ?? null,
        ...shownText(summary),
      },
      messages: messages.map((message) => ({
        seq: message.seq,
        ...speakerFields(message),
        ...shownText(message),
      })),
      last_seq: context.lastSeq,
      tokens: context.tokens.total,
      limit: context.budget.limit,
      pending_calls: context.pendingCalls.length,
      earlier_seq: earlierSeq(context, firstSeq),
    });
  });

/** A message of the context, as far as it is shown. */
interface Block extends Speaker {
  kind: string;
  seq: number | null;
  head: string;
  text: string;
  complete: boolean;
}

const textOf = ({ head, text, complete }: Block): string => `${head}\n${complete ? text : `${text} [cut]`}`;
const shownText = ({ text, complete }: Block) => ({ text, complete });

/** The summary and the newest messages that fit. */
function shownOf(
  { messages, parts, format, summary }: ReadContext,
  room: AnswerRoom,
): { summary: Block | null; messages: Block[] } {
  const of = summary ? ` of messages ${summary.fromSeq}-${summary.toSeq}` : '';
  const blocks = messages.map((body, i): Block => {
    const { kind, seq } = parts[i]!;
    const message = readMessage({ format, body });
    const { role } = message;
    const participant = participantOf(message);
    const speaker = speakerName({ role, participant });
    const head = kind === 'summary' ? `[summary${of}]` : `[message ${seq ?? '?'}, ${speaker}]`;
    const text = searchableMessage(message).text.trim();
    return { ...{ kind, seq, role, participant, head, text }, complete: true };
  });
  let left = room.maxTokens - footerTokens;
  const show = (block: Block, maxTokens: number): Block | null => {
    const shown = blockWithin(block, Math.min(left, maxTokens), room);
    if (shown) left -= tokensOf(shown, room) + 1;
    return shown;
  };
  const folded = blocks.find(({ kind }) => kind === 'summary');
  const first = folded ? show(folded, left * summaryShare) : null;
  const newest: Block[] = [];
  for (const block of blocks.filter(({ kind }) => kind === 'recent').reverse()) {
    const isWhole = fits(block, left, room);
    const shown = isWhole || newest.length === 0 ? show(block, left) : null;
    if (shown === null) break;
    newest.unshift(shown);
  }
  return { summary: first, messages: newest };
}

/** Tokens of a block, as text or as JSON. A summary has two numbers of messages where others have one. */
const tokensOf = (block: Block, room: AnswerRoom): number =>
  itemTokens(
    textOf(block),
    { seq: block.seq, to_seq: block.seq, ...speakerFields(block), ...shownText(block) },
    room,
  );

/** Counts the JSON of a text only when the text fits: a message may have megabytes. */
const fits = (block: Block, tokens: number, { structured, count }: AnswerRoom): boolean =>
  tokensOf(block, { structured: false, count, maxTokens: tokens }) + 3 <= tokens &&
  (!structured || tokensOf(block, { structured, count, maxTokens: tokens }) + 3 <= tokens);

/** The block, or its beginning. Null when that would say too little. */
function blockWithin(block: Block, tokens: number, room: AnswerRoom): Block | null {
  if (fits(block, tokens, room)) return block;
  const { count, structured } = room;
  const space = tokens - tokensOf({ ...block, text: '', complete: false }, room) - 4;
  if (space < minTextTokens) return null;
  const text = structured ? clipForJson(block.text, space, count) : clipHead(block.text, space, count);
  return { ...block, text, complete: false };
}

/** The seq of the message before those that are shown, unless the summary covers it. */
function earlierSeq({ summary }: ReadContext, firstSeq: number | null): number | null {
  const from = (summary?.toSeq ?? 0) + 1;
  return firstSeq !== null && firstSeq > from ? firstSeq - 1 : null;
}

function footerOf(context: ReadContext, firstSeq: number | null, { callOf }: ReaderScope): string {
  const { lastSeq, tokens, budget, pendingCalls } = context;
  const shown = firstSeq === null ? 'No messages.' : `Messages ${firstSeq}-${lastSeq} of ${lastSeq}.`;
  const before = earlierSeq(context, firstSeq);
  const earlier = before === null ? '' : ` Earlier: ${callOf('read_message', { seq: before })}`;
  const open = pendingCalls.length > 0 ? ` ${pendingCalls.length} calls wait for a result.` : '';
  return `[${shown} The context has ${tokens.total} of ${budget.limit} tokens.${open}${earlier}]`;
}
