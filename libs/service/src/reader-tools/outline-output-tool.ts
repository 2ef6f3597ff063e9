import type { OutlineItem } from '@spillway/engine';
import { outlineOutput } from '../outputs/outline-output.js';
import type { Runtime } from '../runtime.js';
import { outputOfThread } from './output-of-thread.js';
import { answerOf, footerTokens, type AnswerRoom, type ReaderAnswer } from './reader-answer.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';
import { clipForJson, itemTokens, jsonTokens } from './structure-tokens.js';

/** Lists what an output holds, each item after its line. */
export async function outlineOutputTool(
  rt: Runtime,
  scope: ReaderScope,
  { id, from_line: from = 1 }: ReaderArguments['outline_output'],
): Promise<ReaderAnswer> {
  const { room, callOf, projectId } = scope;
  await outputOfThread(rt, scope, id);
  const { kind, items, truncated } = await outlineOutput(rt, projectId, id);
  const asked = items.filter(({ line }) => line >= from);
  const texts: string[] = [];
  let left = room.maxTokens - footerTokens;
  for (const item of asked) {
    const text = `${item.line}\t${'  '.repeat(item.depth)}${item.label}`;
    left -= itemTokens(text, item, room);
    if (left < 0 && texts.length > 0) break;
    texts.push(text);
  }
  const next = asked[texts.length];
  const more = next ? ` Next: ${callOf('outline_output', { id, from_line: next.line })}` : '';
  const partly = truncated ? ' It covers the first 4 MiB.' : '';
  const footer = `[${texts.length} of ${items.length} items (${kind}).${partly}${more}]`;
  const end = { total_items: items.length, truncated, next_line: next?.line ?? null };
  return answerOf(texts.join('\n'), footer, room, {
    kind,
    items: shownItems(asked, texts.length, room),
    ...end,
  });
}

/** The first items, as data. The label of a single one may be longer than an answer. */
function shownItems(
  items: readonly OutlineItem[],
  many: number,
  { maxTokens, count }: AnswerRoom,
): OutlineItem[] {
  const shown = items.slice(0, many).map(({ line, depth, label }) => ({ line, depth, label }));
  const room = maxTokens - footerTokens;
  if (shown.length > 1 || jsonTokens(shown, count) <= room) return shown;
  return shown.map((item) => ({ ...item, label: clipForJson(item.label, room - footerTokens / 2, count) }));
}
