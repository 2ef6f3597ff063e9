import type { GrepResult } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import { grepOutput } from '../outputs/grep-output.js';
import type { Runtime } from '../runtime.js';
import { outputOfThread } from './output-of-thread.js';
import { answerOf, footerTokens, type ReaderAnswer } from './reader-answer.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';

type Match = GrepResult['matches'][number];
type Position = NonNullable<GrepResult['next']>;

const maxMatches = 50;

/** Lists the lines that match a pattern: `12:` before a match, `11-` before a line around it, as grep does. */
export async function grepOutputTool(
  rt: Runtime,
  scope: ReaderScope,
  { id, pattern, ignore_case: ignoreCase = false, context = 0, cursor }: ReaderArguments['grep_output'],
): Promise<ReaderAnswer> {
  const { room, callOf, projectId } = scope;
  await outputOfThread(rt, scope, id);
  const space = room.maxTokens - footerTokens;
  const found = await grepOutput(rt, projectId, id, {
    pattern,
    ignoreCase,
    context,
    limit: maxMatches,
    maxTokens: space,
    from: readPosition(cursor),
  });
  const { texts, next } = withinTokens(found, space, room.count);
  const many = `${texts.length} ${texts.length === 1 ? 'match' : 'matches'}`;
  const options = { ...(ignoreCase ? { ignore_case: true } : {}), ...(context > 0 ? { context } : {}) };
  const more = next && callOf('grep_output', { id, pattern, ...options, cursor: writePosition(next) });
  return answerOf(texts.join('\n'), more ? `[${many} so far. Next: ${more}]` : `[${many}.]`, room);
}

/** The matches that fit with their line numbers, which the search does not count. At least one is shown. */
function withinTokens(
  { matches, next }: GrepResult,
  space: number,
  count: (text: string) => number,
): { texts: string[]; next: Position | null } {
  const texts: string[] = [];
  let left = space;
  for (const match of matches) {
    const text = textOf(match);
    left -= count(text) + 1;
    const from = { line: match.line, column: match.column - 1, offset: match.offset };
    if (left < 0 && texts.length > 0) return { texts, next: { ...from, column: 0, offset: null } };
    texts.push(text);
  }
  return { texts, next };
}

const textOf = ({ line, text, before, after }: Match): string =>
  [
    ...before.map((around, i) => `${line - before.length + i}-${around}`),
    `${line}:${text}`,
    ...after.map((around, i) => `${line + 1 + i}-${around}`),
  ].join('\n');

const writePosition = ({ line, column, offset }: Position): string =>
  offset === null || column === 0 ? String(line) : `${line}.${column}.${offset}`;

function readPosition(cursor = '1'): Position {
  if (!/^[1-9]\d{0,8}(\.\d{1,15}\.\d{1,15})?$/.test(cursor))
    throw new SpillwayError('invalid_request', 'cursor must come from the end of an earlier answer.');
  const [line = 1, column, offset] = cursor.split('.').map(Number);
  return { line, column: column ?? 0, offset: offset ?? null };
}
