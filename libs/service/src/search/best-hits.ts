import { searchScore, snippetOf, type SearchTerms } from '@spillway/engine';
import { compareHits, type Found, type HitRank, type ScoredHit } from './search-hit.js';

export interface BestHitsOptions {
  terms: SearchTerms;
  limit: number;
  /** The last hit of the previous page. */
  after: HitRank | null;
  /** Hits below this score are left out. */
  minScore: number;
}

/**
 * The best hits after a given one: memory is bounded by the page size. Once one hit has all parts of the query, hits
 * that lack some are dropped.
 */
export class BestHits {
  private hits: ScoredHit[] = [];
  /** The score that a hit needs. */
  minScore: number;

  constructor(private readonly options: BestHitsOptions) {
    this.minScore = options.minScore;
  }

  add({ text, ...where }: Found): void {
    const { terms, limit, after } = this.options;
    const rank = { ...where, score: searchScore(text, terms) };
    if (rank.score < this.minScore) return;
    if (rank.score >= terms.parts.length && this.minScore < terms.parts.length) {
      this.minScore = terms.parts.length;
      this.hits = this.hits.filter(({ score }) => score >= this.minScore);
    }
    if (after && compareHits(rank, after) <= 0) return;
    const worse = this.hits.findIndex((other) => compareHits(rank, other) < 0);
    // One more than the page size tells whether there is another page.
    if (worse < 0 && this.hits.length > limit) return;
    // A copy: a slice would keep the whole text in memory.
    const snippet = Buffer.from(snippetOf(text, terms)).toString();
    this.hits.splice(worse < 0 ? this.hits.length : worse, 0, { ...rank, snippet });
    if (this.hits.length > limit + 1) this.hits.pop();
  }

  /** True when no older hit could come before those of the page and the one after it. */
  get isFull(): boolean {
    const { terms, limit } = this.options;
    return this.hits.length > limit && this.hits.at(-1)!.score > terms.parts.length;
  }

  page(): { hits: ScoredHit[]; more: boolean } {
    const { limit } = this.options;
    return { hits: this.hits.slice(0, limit), more: this.hits.length > limit };
  }
}
