import { speakerFields, speakerName } from '@spillway/engine';
import type { Runtime } from '../runtime.js';
import { searchThread, type SearchHit, type SearchHits } from '../search/search-thread.js';
import { answerOf, footerTokens, type AnswerRoom, type ReaderAnswer } from './reader-answer.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';
import { clipForJson, jsonTokens } from './structure-tokens.js';

const maxHits = 8;
/** Tokens of a hit beside its text: where it is, and how to read it whole. */
const headTokens = 45;
const minHitTokens = 60;

/** Searches all messages of the thread and its outputs. Each hit says where it is; a result stands with its call. */
export async function searchHistoryTool(
  rt: Runtime,
  scope: ReaderScope,
  { q, role, tool, cursor }: ReaderArguments['search_history'],
): Promise<ReaderAnswer> {
  const { room, callOf, projectId, threadId } = scope;
  const space = room.maxTokens - footerTokens;
  const limit = Math.max(1, Math.min(maxHits, Math.floor(space / (headTokens + minHitTokens))));
  const found = await searchThread(rt, {
    ...{ projectId, threadId, q, role, tool, cursor, limit },
    maxTokens: Math.max(minHitTokens, space - limit * headTokens),
  });
  const hits = found.hits.map((hit) => textOf(hit, scope)).join('\n\n');
  const more = found.nextCursor && callOf('search_history', { q, role, tool, cursor: found.nextCursor });
  const many = `${found.hits.length} ${found.hits.length === 1 ? 'hit' : 'hits'}`;
  const footer = more ? `[${many}. Next: ${more}]` : `[${many}.]`;
  return answerOf(hits, footer, room, room.structured ? structureOf(found, room) : undefined);
}

function textOf(hit: SearchHit, { callOf }: ReaderScope): string {
  const where = hit.output
    ? `output ${hit.output.id} of message ${hit.seq}, line ${hit.output.line}`
    : `message ${hit.seq}, ${speakerName(hit)}`;
  const whole = hit.complete || hit.output ? '' : `; whole: ${callOf('read_message', { seq: hit.seq })}`;
  const pair = hit.pair
    ? [`[its pair, message ${hit.pair.seq}, ${hit.pair.role}]`, ...textsOf(hit.pair)]
    : [];
  const followed = hit.followedBy.map(
    (spoken) => `[then message ${spoken.seq}, ${speakerName(spoken)}]\n${spoken.text}`,
  );
  return [`[${where}${whole}]`, ...textsOf(hit), ...pair, ...followed].join('\n');
}

/** The passages of a text; before each a line says what is not shown between it and the one before. */
const textsOf = ({ windows }: Pick<SearchHit, 'windows'>): string[] =>
  windows.flatMap(({ line, text }, i) => {
    const last = i === 0 ? 0 : lastLineOf(windows[i - 1]!);
    if (line - last > 1) return [`--- ${lines(last + 1, line - 1)} not shown ---`, text];
    return i === 0 ? [text] : ['--- a part of this line is not shown ---', text];
  });

const lastLineOf = ({ line, text }: SearchHit['windows'][number]): number =>
  line + text.split('\n').length - 1;

const lines = (from: number, to: number): string => (from === to ? `line ${from}` : `lines ${from}-${to}`);

type Shown = Pick<SearchHit, 'windows' | 'complete'>;

/** The hits as data. Where their JSON is too long, each text gives the same share of its end. */
function structureOf({ hits, nextCursor }: SearchHits, { maxTokens, count }: AnswerRoom): object {
  const withShare = (share: number) => {
    const shown = ({ windows, complete }: Shown) => {
      const kept = windows.map(({ line, text }) => ({ line, text: share < 1 ? clipTo(text, share) : text }));
      const isWhole = kept.every(({ text }, i) => text === windows[i]!.text);
      return { windows: kept.filter(({ text }) => text !== ''), complete: complete && isWhole };
    };
    const clipTo = (text: string, part: number) =>
      clipForJson(text, Math.floor(jsonTokens(text, count) * part), count);
    return {
      hits: hits.map(({ seq, output, pair, followedBy, ...hit }) => ({
        ...{ seq, ...speakerFields(hit), output: output && { id: output.id, line: output.line } },
        ...shown(hit),
        pair: pair && { seq: pair.seq, role: pair.role, ...shown(pair) },
        followed_by: followedBy.map((spoken) => ({
          ...{ seq: spoken.seq, ...speakerFields(spoken) },
          text: share < 1 ? clipTo(spoken.text, share) : spoken.text,
        })),
      })),
      next_cursor: nextCursor,
    };
  };
  const whole = withShare(1);
  const tokens = jsonTokens(whole, count);
  if (tokens <= maxTokens) return whole;
  const texts = hits.flatMap(({ windows, pair, followedBy }) => [
    ...windows,
    ...(pair?.windows ?? []),
    ...followedBy,
  ]);
  const ofTexts = texts.reduce((sum, { text }) => sum + jsonTokens(text, count), 0);
  // Ends of texts join with what is behind them, each by a token at most.
  const space = maxTokens - (tokens - ofTexts) - texts.length;
  return withShare(Math.max(0, space / ofTexts));
}
