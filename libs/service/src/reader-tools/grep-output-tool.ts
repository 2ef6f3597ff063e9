import type { GrepResult } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import { readGrepCursor, writeGrepCursor } from '../outputs/grep-cursor.js';
import { grepOutput } from '../outputs/grep-output.js';
import type { Runtime } from '../runtime.js';
import { outputOfThread } from './output-of-thread.js';
import { answerOf, footerTokens, type AnswerRoom, type ReaderAnswer } from './reader-answer.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';
import { clipForJson, itemTokens, jsonTokens, tokensBeside } from './structure-tokens.js';

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
    from: positionOf(cursor),
  });
  const { texts, items, next } = withinTokens(found, space, room);
  const many = `${texts.length} ${texts.length === 1 ? 'match' : 'matches'}`;
  const options = { ...(ignoreCase ? { ignore_case: true } : {}), ...(context > 0 ? { context } : {}) };
  const more = next && callOf('grep_output', { id, pattern, ...options, cursor: writeGrepCursor(next) });
  return answerOf(texts.join('\n'), more ? `[${many} so far. Next: ${more}]` : `[${many}.]`, room, {
    matches: items,
    next_cursor: next && writeGrepCursor(next),
  });
}

type Item = Pick<Match, 'line' | 'text' | 'before' | 'after'>;

/** The matches that fit with their line numbers, which the search does not count. At least one is shown. */
function withinTokens(
  { matches, next }: GrepResult,
  space: number,
  room: AnswerRoom,
): { texts: string[]; items: Item[]; next: Position | null } {
  const texts: string[] = [];
  const items: Item[] = [];
  let left = space;
  for (const match of matches) {
    const text = textOf(match);
    const item = { line: match.line, text: match.text, before: match.before, after: match.after };
    left -= itemTokens(text, item, room);
    const from = { line: match.line, column: match.column - 1, offset: match.offset };
    if (left < 0 && texts.length > 0) return { texts, items, next: { ...from, column: 0, offset: null } };
    texts.push(text);
    items.push(left < 0 && room.structured ? clipped(item, room) : item);
  }
  return { texts, items, next };
}

/** A match that is longer than the structure of an answer, without the lines around it. */
function clipped({ line, text }: Item, room: AnswerRoom): Item {
  const around = { line, text: '', before: [], after: [] };
  const space = tokensBeside({ matches: [], next_cursor: longestPosition }, room);
  return { ...around, text: clipForJson(text, space - jsonTokens(around, room.count), room.count) };
}

const longestPosition = '999999999.999999999999999.999999999999999';

const textOf = ({ line, text, before, after }: Match): string =>
  [
    ...before.map((around, i) => `${line - before.length + i}-${around}`),
    `${line}:${text}`,
    ...after.map((around, i) => `${line + 1 + i}-${around}`),
  ].join('\n');

function positionOf(cursor = '1'): Position {
  if (!/^[1-9]\d{0,8}(\.\d{1,15}\.\d{1,15})?$/.test(cursor))
    throw new SpillwayError('invalid_request', 'cursor must come from the end of an earlier answer.');
  return readGrepCursor(cursor);
}
