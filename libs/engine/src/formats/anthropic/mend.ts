import type { Body } from '../../messages/message.js';
import { emptyMessage, isBody, stringOf } from '../parts.js';

const errorWithoutText = '[The tool failed and said nothing.]';
const answerWithoutText = '[The answer ended while thinking.]';

/**
 * Anthropic refuses empty messages, text blocks without a visible character, in tool results too, errors without a
 * text, results that stand behind other content, answers that end in thinking, and the fields that only an answer has.
 */
export function mendAnthropic(body: Body): Body {
  const isWholeAnswer = body.type === 'message' && body.role === 'assistant';
  return mendContent(isWholeAnswer ? { role: 'assistant', content: body.content } : body);
}

function mendContent(body: Body): Body {
  const { content } = body;
  if (typeof content === 'string') return content.trim() === '' ? { ...body, content: emptyMessage } : body;
  if (!Array.isArray(content)) return body;
  const mended = withoutEmptyTexts(content.map(mendBlock));
  const blocks = body.role === 'user' ? resultsFirst(mended) : withoutThoughtAtEnd(mended);
  if (blocks.length === 0) return { ...body, content: emptyMessage };
  const isSame = blocks.length === content.length && blocks.every((block, i) => block === content[i]);
  return isSame ? body : { ...body, content: blocks };
}

function resultsFirst(blocks: readonly unknown[]): readonly unknown[] {
  const firstOther = blocks.findIndex((block) => !isResult(block));
  const areFirst = firstOther < 0 || !blocks.slice(firstOther).some(isResult);
  return areFirst ? blocks : [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

/** An answer that was cut off while thinking, with a text behind its thoughts. */
function withoutThoughtAtEnd(blocks: readonly unknown[]): readonly unknown[] {
  const last = blocks.at(-1);
  const isThought = isBody(last) && (last.type === 'thinking' || last.type === 'redacted_thinking');
  return isThought ? [...blocks, { type: 'text', text: answerWithoutText }] : blocks;
}

const isResult = (block: unknown): boolean => isBody(block) && block.type === 'tool_result';

function mendBlock(block: unknown): unknown {
  if (!isBody(block) || block.type !== 'tool_result') return block;
  const { content: posted } = block;
  const content = Array.isArray(posted) ? withoutEmptyTexts(posted) : stringOf(posted);
  if (block.is_error === true && content.length === 0) return { ...block, content: errorWithoutText };
  return Array.isArray(posted) && content.length < posted.length ? { ...block, content } : block;
}

const withoutEmptyTexts = (blocks: readonly unknown[]): unknown[] =>
  blocks.filter(
    (block) =>
      !(isBody(block) && block.type === 'text' && typeof block.text === 'string' && block.text.trim() === ''),
  );
