import { maxSeq, type outputContentQuery } from '@spillway/contracts';
import { linesAsked, SpillwayError, type Excerpt, type LinesAsked, type OutputRow } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { inert } from '../http/inert.js';

type ContentQuery = z.infer<typeof outputContentQuery>;

/** Default of `max_tokens`: smaller than the threshold above which a result is offloaded. */
export const defaultTokens = 2_000;

export const inertFile = (id: string) => ({
  ...inert(`${id}.txt`, 'text/plain'),
  'accept-ranges': 'bytes',
});

/** Clients that accept anything get text. */
export const acceptsOnlyJson = (accept = ''): boolean =>
  /application\/json/i.test(accept) && !/text\/|\*\/\*/.test(accept);

/** An excerpt as text with describing headers, or as JSON. */
export function sendExcerpt(
  reply: FastifyReply,
  output: OutputRow,
  excerpt: Excerpt,
  query: ContentQuery,
  isJson: boolean,
  lineCount = output.lines,
): unknown {
  const { text, firstLine, lastLine, tokens } = excerpt;
  const next = excerpt.next === null ? null : excerpt.next + kept(query);
  if (isJson) {
    const lines = { first_line: firstLine, last_line: lastLine, lines: lineCount };
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8' })
      .send({ text, ...lines, tokens, next });
  }
  const shown = lastLine === null ? 'none' : `${firstLine}-${lastLine}`;
  const note = next !== null && query.numbered === true ? `[Truncated. Continue with ${next}]\n` : '';
  return reply
    .headers({
      ...inertFile(output.id),
      'spillway-lines': `${shown}/${lineCount}`,
      ...(next === null ? {} : { 'spillway-next': next }),
    })
    .send(text + note);
}

/** The parameters that the query for the next part keeps. */
const kept = ({ path, max_tokens, numbered }: ContentQuery): string =>
  (path === undefined ? '' : `&path=${encodeURIComponent(path)}`) +
  (max_tokens === undefined ? '' : `&max_tokens=${max_tokens}`) +
  (numbered === undefined ? '' : `&numbered=${numbered}`);

/** The matches of the path in a query, as lines. */
export function matchesAsked(query: ContentQuery): LinesAsked {
  if (query.tail !== undefined)
    throw invalid(
      'tail',
      'Count matches from the end in the path, as in $[-20:].',
      'cannot be combined with path',
    );
  return linesAsked(query, maxSeq) ?? { first: 1, last: maxSeq };
}

/** The lines that a query names; undefined when it asks for bytes. */
export function linesOfQuery(query: ContentQuery, total: number, isBounded: boolean): LinesAsked | undefined {
  const isText = query.numbered !== undefined || query.max_tokens !== undefined || isBounded;
  return linesAsked(query, total) ?? (isText ? { first: 1, last: total } : undefined);
}

const invalid = (path: string, detail: string, message: string): SpillwayError =>
  new SpillwayError('invalid_request', detail, [{ path: `/${path}`, message }]);
