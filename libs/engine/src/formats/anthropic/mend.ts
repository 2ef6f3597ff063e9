import type { Body } from '../../messages/message.js';
import { emptyMessage, isBody } from '../parts.js';

/**
 * Anthropic refuses empty messages, text blocks without a visible character, in tool results too, and results that
 * stand behind other content.
 */
export function mendAnthropic(body: Body): Body {
  const { content } = body;
  if (typeof content === 'string') return content.trim() === '' ? { ...body, content: emptyMessage } : body;
  if (!Array.isArray(content)) return body;
  const mended = withoutEmptyTexts(content.map(mendBlock));
  const blocks = body.role === 'user' ? resultsFirst(mended) : mended;
  if (blocks.length === 0) return { ...body, content: emptyMessage };
  const isSame = blocks.length === content.length && blocks.every((block, i) => block === content[i]);
  return isSame ? body : { ...body, content: blocks };
}

function resultsFirst(blocks: readonly unknown[]): readonly unknown[] {
  const firstOther = blocks.findIndex((block) => !isResult(block));
  const areFirst = firstOther < 0 || !blocks.slice(firstOther).some(isResult);
  return areFirst ? blocks : [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

const isResult = (block: unknown): boolean => isBody(block) && block.type === 'tool_result';

function mendBlock(block: unknown): unknown {
  if (!isBody(block) || block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
  const content = withoutEmptyTexts(block.content);
  return content.length === block.content.length ? block : { ...block, content };
}

const withoutEmptyTexts = (blocks: readonly unknown[]): unknown[] =>
  blocks.filter(
    (block) =>
      !(isBody(block) && block.type === 'text' && typeof block.text === 'string' && block.text.trim() === ''),
  );
