import { outlineOutput } from '../outputs/outline-output.js';
import type { Runtime } from '../runtime.js';
import { outputOfThread } from './output-of-thread.js';
import { answerOf, footerTokens, type ReaderAnswer } from './reader-answer.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';

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
  for (const { line, depth, label } of asked) {
    const text = `${line}\t${'  '.repeat(depth)}${label}`;
    left -= room.count(text) + 1;
    if (left < 0 && texts.length > 0) break;
    texts.push(text);
  }
  const next = asked[texts.length];
  const more = next ? ` Next: ${callOf('outline_output', { id, from_line: next.line })}` : '';
  const partly = truncated ? ' It covers the first 4 MiB.' : '';
  const footer = `[${texts.length} of ${items.length} items (${kind}).${partly}${more}]`;
  return answerOf(texts.join('\n'), footer, room);
}
