import { linesAsked } from '../outputs/lines-asked.js';
import { readLines } from '../outputs/read-lines.js';
import { readPath } from '../outputs/read-path.js';
import type { Runtime } from '../runtime.js';
import { outputOfThread } from './output-of-thread.js';
import { answerOf, footerTokens, type ReaderAnswer } from './reader-answer.js';
import { readOnArguments, shownLines } from './read-on.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';

const maxMatches = 2_147_483_647;

/** Reads lines of an output, or the parts of a JSON one that a path matches, each after its number or its path. */
export async function readOutputTool(
  rt: Runtime,
  scope: ReaderScope,
  { id, path, ...range }: ReaderArguments['read_output'],
): Promise<ReaderAnswer> {
  const { room, callOf } = scope;
  const output = await outputOfThread(rt, scope, id);
  const shown = { maxTokens: room.maxTokens - footerTokens, numbered: true, count: room.count };
  const last = path === undefined ? output.lines : maxMatches;
  const asked = linesAsked(range, last) ?? { first: 1, last };
  const { excerpt, total } =
    path === undefined
      ? { excerpt: await readLines(rt, output, asked, shown), total: output.lines }
      : await readPath(rt, output, path, asked, shown);
  const next = readOnArguments(excerpt);
  const more = next === null ? '' : ` Next: ${callOf('read_output', { id, path, ...next })}`;
  const what = path === undefined ? 'Lines' : 'Matches';
  return answerOf(excerpt.text, `[${shownLines(excerpt, total, what)}${more}]`, room);
}
