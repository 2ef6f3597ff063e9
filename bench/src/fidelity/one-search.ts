import {
  BestPassages,
  candidateOf,
  followUps,
  formats,
  noFloor,
  rankCandidates,
  searchableMessage,
  searchTerms,
  seqsBehind,
  showText,
  spokenIn,
  termWeights,
  tokensOfHit,
  type Candidate,
  type CountTokens,
  type Rank,
  type SearchableMessage,
  type SearchTerms,
  type Spoken,
} from '@spillway/engine';
import type { JsonMessage } from '@spillway/testing';

/** As the API answers without `limit` and `max_tokens`. */
const limit = 20;
const maxTokens = 4_000;
/** A long line of an output is searched in pieces. */
const pieceLength = 5_000;
const overlap = 1_000;

interface Place extends Candidate {
  /** A passage of an offloaded output. */
  passage: string | null;
}

/** A thread that is searched as the API searches it, with the engine's ranking and windows, without storage. */
export class OneSearch {
  private readonly messages: readonly SearchableMessage[];
  private readonly spoken: ReadonlyMap<number, Spoken>;

  /** `held`: what the database holds, with stubs; the originals are the outputs. */
  constructor(
    private readonly originals: readonly JsonMessage[],
    private readonly held: readonly JsonMessage[],
    private readonly count: CountTokens,
  ) {
    const read = held.map((body) => formats.openai.read(body));
    this.messages = read.map(searchableMessage);
    const spoken = read.flatMap((message, i) => spokenIn(i + 1, message) ?? []);
    this.spoken = new Map(spoken.map((one) => [one.seq, one]));
  }

  /** What one search of the messages up to a seq shows, for a context of these tokens. */
  answer(query: string, through: number, contextLimit: number): string {
    const terms = searchTerms(query);
    const candidates = this.messages.slice(0, through).flatMap((_, i) => this.placesOf(i + 1, terms));
    const { hits, statistics } = rankCandidates(candidates, terms, { texts: through, floor: noFloor(terms) });
    const weights = termWeights(statistics);
    const showing = { terms, weights, count: this.count };
    const pageTokens = Math.min(maxTokens, Math.floor(contextLimit / 4));
    const page = hits.sort(byRank).slice(0, limit);
    const behind = seqsBehind(
      page.map(({ seq }) => seq),
      through,
    );
    const followed = followUps(behind, this.spoken, { pageTokens, count: this.count });
    let left = pageTokens - followed.tokens;
    const shown = [...followed.bySeq.values()].flat().map(({ text }) => text);
    for (const hit of page) {
      const text = hit.passage ?? this.messages[hit.seq - 1]!.text;
      const pair = this.pairOf(hit);
      const tokens = tokensOfHit(left);
      const own = showText(text, pair === null ? tokens : Math.floor(tokens * 0.65), showing);
      shown.push(...own.windows.map((window) => window.text));
      let used = own.tokens;
      if (pair !== null) {
        const other = showText(this.messages[pair - 1]!.text, tokens - used, showing);
        shown.push(...other.windows.map((window) => window.text));
        used += other.tokens;
      }
      left -= used;
    }
    return shown.join('\n');
  }

  private placesOf(seq: number, terms: SearchTerms): Place[] {
    const message = this.messages[seq - 1]!;
    const passages: string[] = [];
    if (this.held[seq - 1] !== this.originals[seq - 1]) {
      const best = new BestPassages(terms);
      const whole = searchableMessage(formats.openai.read(this.originals[seq - 1]!)).text;
      for (const [i, line] of whole.split('\n').entries())
        for (let column = 0; column === 0 || column < line.length; column += pieceLength - overlap)
          best.add({ line: i + 1, column, text: line.slice(column, column + pieceLength) });
      passages.push(...best.end().map(({ text }) => text));
    }
    const places: Place[] = [
      { ...candidateOf({ seq, ...message }, terms), passage: null },
      ...passages.map((text) => ({
        ...candidateOf({ seq, text, answers: message.answers }, terms),
        passage: text,
      })),
    ];
    return places;
  }

  /** The call of a result, or the result of a call. */
  private pairOf({ seq, calls, answers }: Place): number | null {
    const call = calls[0]?.id;
    for (let at = seq - 1; at >= 1 && answers.length > 0; at--)
      if (this.messages[at - 1]!.calls.some(({ id }) => answers.includes(id))) return at;
    for (let at = seq + 1; at <= this.messages.length && call !== undefined; at++)
      if (this.messages[at - 1]!.answers.includes(call)) return at;
    return null;
  }
}

const byRank = (a: Rank & Candidate, b: Rank & Candidate): number =>
  b.level - a.level || b.score - a.score || b.seq - a.seq;
