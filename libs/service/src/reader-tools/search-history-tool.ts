import type { Runtime } from '../runtime.js';
import { searchThread, type SearchHit } from '../search/search-thread.js';
import { answerOf, footerTokens, type ReaderAnswer } from './reader-answer.js';
import type { ReaderArguments, ReaderScope } from './reader-call.js';

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
  return answerOf(hits, more ? `[${many}. Next: ${more}]` : `[${many}.]`, room);
}

function textOf(hit: SearchHit, { callOf }: ReaderScope): string {
  const where = hit.output
    ? `output ${hit.output.id} of message ${hit.seq}, line ${hit.output.line}`
    : `message ${hit.seq}, ${hit.role}`;
  const whole = hit.complete || hit.output ? '' : `; whole: ${callOf('read_message', { seq: hit.seq })}`;
  const pair = hit.pair
    ? [`[its pair, message ${hit.pair.seq}, ${hit.pair.role}]`, ...textsOf(hit.pair)]
    : [];
  return [`[${where}${whole}]`, ...textsOf(hit), ...pair].join('\n');
}

const textsOf = ({ windows }: Pick<SearchHit, 'windows'>): string[] => windows.map(({ text }) => text);
