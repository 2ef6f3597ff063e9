import {
  noFloor,
  participantOf,
  readMessage,
  searchableMessage,
  snippetOf,
  type Role,
  type SearchTerm,
  type SearchTerms,
} from '@spillway/engine';
import {
  listThreads,
  positionOf,
  readBodies,
  threadsWithText,
  type KeysetValue,
  type ListedThreadRow,
  type ThreadFilter,
} from '@spillway/store';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import { readProjectCursor, writeProjectCursor, type ProjectPosition } from './project-cursor.js';
import { explainTimeout, termsOf } from './search-errors.js';
import { rolesOf } from './search-filters.js';
import type { RankedHit } from './search-hit.js';
import { searchRange } from './search-range.js';
import { searchedSlice } from './searched-slice.js';
import { withSearchSlot } from './search-slots.js';

export interface ProjectSearch {
  q: string;
  role?: Role | undefined;
  /** Which threads are searched. */
  threads: ThreadFilter;
  /** Threads of a page at most. */
  limit: number;
  cursor?: string | undefined;
}

export interface FoundThread {
  thread: ListedThreadRow;
  /** Its best messages with all words. */
  hits: { seq: number; role: string; participant: string | null; snippet: string }[];
  /** It may have further ones. */
  more: boolean;
}

export interface FoundThreads {
  found: FoundThread[];
  /** Threads that this page went through. */
  threads: number;
  /** All threads created after this time are searched; null when all threads are. */
  createdAfter: Date | null;
  nextCursor: string | null;
}

/** A page ends after this time, even when nothing was found. */
const pageMs = 1_500;
/** Hits of a thread: enough to tell whether it is the one. */
const maxHits = 3;
/** Threads that are listed at once. */
const maxListed = 500;
/** Messages that one statement looks at. A longer thread is read slice by slice instead. */
const maxMessages = 2_000;

/**
 * Finds the threads in which one message, or a call with its result, has all words. There is no index: the messages of
 * the project are read, and a page ends when its time is over (ADR 194). Threads come in the order of their creation,
 * the newest first: no append moves one, so no page misses it. Throws `search_timeout`, `too_many_searches`.
 */
export async function searchProject(rt: Runtime, search: ProjectSearch): Promise<FoundThreads> {
  const { q, role, threads: filter, limit, cursor } = search;
  const terms = termsOf(q);
  const id = [q, role, filter];
  const from = cursor === undefined ? { after: null, within: null } : readProjectCursor(id, cursor);
  return withSearchSlot(filter.projectId, async () => {
    const { position, ...page } = await searchFrom(rt, from, { terms, role, filter, limit }).catch(
      explainTimeout,
    );
    const { after } = position ?? {};
    return {
      ...page,
      createdAfter: after ? new Date(after.value) : null,
      nextCursor: position && writeProjectCursor(id, position),
    };
  });
}

interface Asked {
  terms: SearchTerms;
  role: Role | undefined;
  filter: ThreadFilter;
}

interface SearchedPage {
  found: FoundThread[];
  threads: number;
  /** Where the next page begins; null after the last thread. */
  position: ProjectPosition | null;
}

async function searchFrom(
  rt: Runtime,
  from: ProjectPosition,
  { limit, ...asked }: Asked & { limit: number },
): Promise<SearchedPage> {
  const endsAt = performance.now() + pageMs;
  const found: FoundThread[] = [];
  let position = from;
  let threads = 0;
  for await (const some of listed(rt, asked.filter, from.after)) {
    const possible = await withRarestTerm(rt, some, asked);
    for (const thread of some) {
      // Each page goes on by one thread at least.
      if (found.length === limit || (threads > 0 && performance.now() > endsAt))
        return { found, threads, position };
      if (possible.has(thread.uid)) {
        const { within } = position;
        const through = within?.uid === thread.uid ? within.through : thread.nextSeq - 1;
        const best = await bestHits(rt, thread, { ...asked, through, endsAt });
        if (best.older !== null)
          return {
            found,
            threads,
            position: { ...position, within: { uid: thread.uid, through: best.older } },
          };
        if (best.hits.length > 0) found.push(await shown(rt, thread, { ...best, terms: asked.terms }));
      }
      threads++;
      position = { after: positionOf(thread, 'created'), within: null };
    }
  }
  return { found, threads, position: null };
}

/** The threads after a position, as many at a time as one statement looks at. */
async function* listed(
  rt: Runtime,
  filter: ThreadFilter,
  from: KeysetValue | null,
): AsyncGenerator<ListedThreadRow[]> {
  let after = from;
  for (;;) {
    const order = { order: 'created', direction: 'desc' } as const;
    const rows = await listThreads(rt.store.query, { ...filter, ...order, after, limit: maxListed });
    let some: ListedThreadRow[] = [];
    let messages = 0;
    for (const row of rows) {
      if (messages + row.nextSeq > maxMessages && some.length > 0) {
        yield some;
        [some, messages] = [[], 0];
      }
      some.push(row);
      messages += row.nextSeq;
    }
    if (some.length > 0) yield some;
    if (rows.length < maxListed) return;
    after = positionOf(rows.at(-1)!, 'created');
  }
}

/** Those that may have a hit: long ones, and those with the term that the fewest are likely to have. */
async function withRarestTerm(
  rt: Runtime,
  threads: readonly ListedThreadRow[],
  { terms, role, filter }: Asked,
): Promise<Set<string>> {
  const [first] = threads;
  if (first && first.nextSeq > maxMessages) return new Set([first.uid]);
  const [rarest] = terms.terms.toSorted((a, b) => rarity(b) - rarity(a));
  const threadUids = threads.map(({ uid }) => uid);
  const { projectId } = filter;
  return threadsWithText(rt.store.query, {
    projectId,
    threadUids,
    part: rarest!.stem,
    roles: rolesOf({ role }),
  });
}

/** An identifier or a phrase is rarer than a word, and a long text than a short one. */
const rarity = ({ kind, stem }: SearchTerm): number => (kind === 'word' ? 0 : 1_000) + stem.length;

interface ThreadHits {
  hits: RankedHit[];
  /** By term: the rarer, the higher. */
  weights: number[];
  /** The thread may have further hits. */
  more: boolean;
  /** Without a hit: the newest message that time was too short for. */
  older: number | null;
}

/** The best hits of the newest range of a thread that has any. */
async function bestHits(
  rt: Runtime,
  thread: ListedThreadRow,
  { terms, role, filter, through, endsAt }: Asked & { through: number; endsAt: number },
): Promise<ThreadHits> {
  const of = { projectId: filter.projectId, threadUid: thread.uid };
  const slices = (from: number, through: number) =>
    searchedSlice(rt, { ...of, from, through, terms, filters: { role }, withOutputs: false });
  const now = () => performance.now();
  for (let newest = through; ;) {
    const clock = { now, rangeMs: Math.max(0, endsAt - now()), maxMs: Infinity };
    const range = { through: newest, floor: noFloor(terms), within: null };
    const { hits, weights, next } = await searchRange(
      slices,
      range,
      { terms, limit: maxHits, oldest: 1 },
      clock,
    );
    const whole = hits.filter(({ level }) => level > 0);
    // The rest of a range whose best text has only some of the words has none with all of them.
    const older = next?.within ? next.within.from - 1 : (next?.through ?? 0);
    if (whole.length > 0) return { hits: whole, weights, more: next !== null, older: null };
    if (older === 0 || now() > endsAt) return { hits: [], weights, more: false, older: older || null };
    newest = older;
  }
}

async function shown(
  rt: Runtime,
  thread: ListedThreadRow,
  { hits, weights, more, terms }: ThreadHits & { terms: SearchTerms },
): Promise<FoundThread> {
  const seqs = hits.map(({ seq }) => seq);
  const rows = await readBodies(rt.store.query, thread.projectId, thread.uid, seqs);
  const messages = new Map(rows.map((row) => [row.seq, readMessage(storedOf(row))]));
  return {
    thread,
    more,
    hits: hits.flatMap(({ seq, role }) => {
      const message = messages.get(seq);
      if (!message) return [];
      const { text } = searchableMessage(message);
      return [{ seq, role, participant: participantOf(message), snippet: snippetOf(text, terms, weights) }];
    }),
  };
}
