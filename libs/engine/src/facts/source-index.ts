import type { SeqMessage } from '../messages/seq-message.js';
import { textsToRead } from '../ledger/identifiers.js';
import { capitalsAreNames, claimsIn, keysIn, type Claim } from './claims.js';
import type { Fact } from './fact.js';
import { factsOfText } from './facts-in.js';
import { isTrueQuote, quoteClaim, type QuoteClaim } from './quotes.js';
import { SaidText } from '../ledger/said-text.js';
import { citationsIn, type Statement } from './statements.js';

/**
 * How the messages behind a statement were found. `none`: it has a value that no message holds, and no message is
 * close. `unclear`: it has no value to check, and its words are too few or too common to lead to a message.
 */
export const sourceBases = ['cited', 'matched', 'none', 'unclear'] as const;

export interface SourcedStatement extends Statement {
  basis: (typeof sourceBases)[number];
  /** The likeliest first, at most `maxSources`; cited ones in their order. */
  seqs: number[];
  /** Its identifiers, numbers and names that no message holds, as it writes them. */
  missing: string[];
}

const maxSources = 4;
const maxCited = 200;
/** A term of more messages than this says nothing about where a statement comes from. */
const maxPostings = 40;
/** The share of a statement's terms that a message must add to count … */
const addsShare = 0.15;
/** … and that all must reach together: words alone are shared by chance more easily than identifiers are. */
const enoughShare = { withFact: 0.25, words: 0.4 };
const factWeight = 3;

interface Indexed {
  statement: Statement;
  terms: ReadonlyMap<string, number>;
  claims: readonly Claim[];
}

/**
 * Finds the messages that a summary's statements come from: those they cite, else those that share their identifiers
 * and rare words. Also finds the identifiers, numbers and names of a statement that no message holds. Only terms of
 * the summary are remembered, so memory is bounded by the summary and not by the thread; the same thread gives the
 * same answer.
 */
export class SourceIndex {
  private readonly statements: Indexed[];
  private readonly postings = new Map<string, { messages: number; seqs: number[] }>();
  /** Claims that no message has held yet, by their key. */
  private readonly open = new Map<string, Set<string>>();
  private messages = 0;
  /** Statements that quote a message, by its seq, until that message is seen to say it. */
  private readonly unconfirmed = new Map<Statement, QuoteClaim>();

  constructor(
    statements: readonly Statement[],
    private readonly toSeq: number,
  ) {
    const names = capitalsAreNames(statements.map(({ text }) => text).join('\n'));
    this.statements = statements.map((statement) => ({
      statement,
      terms: termsOf(statement.text),
      claims: claimsIn(statement.text, { toSeq, names }),
    }));
    for (const statement of statements) {
      const quote = quoteClaim(statement.text);
      if (quote) this.unconfirmed.set(statement, quote);
    }
    for (const { terms, claims } of this.statements) {
      for (const term of terms.keys()) this.postings.set(term, { messages: 0, seqs: [] });
      for (const { key, kind, text } of claims)
        this.open.set(key, (this.open.get(key) ?? new Set()).add(kind === 'identifier' ? text : ''));
    }
  }

  add(message: SeqMessage, facts: readonly Fact[]): void {
    this.messages++;
    for (const [statement, quote] of this.unconfirmed)
      if (quote.seq === message.seq && isTrueQuote(quote, message)) this.unconfirmed.delete(statement);
    const terms = new Set(facts.map(factTerm));
    for (const text of textsToRead(message))
      for (const [word] of text.matchAll(words)) terms.add(word.toLowerCase());
    for (const term of terms) {
      const posting = this.postings.get(term);
      if (!posting) continue;
      posting.messages++;
      if (posting.seqs.length <= maxPostings) posting.seqs.push(message.seq);
    }
    this.addText([message.text, ...message.calls.map(({ name, input }) => `${name} ${input}`)].join('\n'));
  }

  /**
   * Marks the claims that a text holds, also text that is sent beside the messages. It is read whole: a value is
   * missing only when it is nowhere.
   */
  addText(written: string): void {
    if (this.open.size === 0) return;
    // Escapes of JSON end a word: `\\nHAT271` holds HAT271.
    const text = written.includes('\\') ? `${written}\n${written.replace(/\\[bfnrt"\\/]/g, ' ')}` : written;
    let known: SaidText | undefined;
    for (const key of keysIn(text)) {
      const claims = this.open.get(key);
      if (!claims) continue;
      for (const claim of claims)
        if (claim === '' || (known ??= new SaidText(text)).says(claim)) claims.delete(claim);
      if (claims.size === 0) this.open.delete(key);
    }
  }

  sources(): SourcedStatement[] {
    return this.statements.map(({ statement, terms, claims }) => {
      const missing = claims.filter((claim) => this.isMissing(claim)).map(({ text }) => text);
      if (this.unconfirmed.has(statement)) return { ...statement, basis: 'none', seqs: [], missing };
      const cited = citationsIn(statement.text, this.toSeq);
      if (cited.length > 0) return { ...statement, basis: 'cited', seqs: cited.slice(0, maxCited), missing };
      const seqs = this.match(terms);
      if (seqs.length > 0) return { ...statement, basis: 'matched', seqs, missing };
      return { ...statement, basis: missing.length > 0 ? 'none' : 'unclear', seqs, missing };
    });
  }

  private isMissing({ key, kind, text }: Claim): boolean {
    return this.open.get(key)?.has(kind === 'identifier' ? text : '') ?? false;
  }

  /** Message by message, the one that explains most of what is still unexplained. */
  private match(terms: ReadonlyMap<string, number>): number[] {
    const maxMessages = Math.min(maxPostings, Math.max(3, Math.floor(this.messages * 0.3)));
    const rare = [...terms]
      .map(([term, weight]) => ({ weight, ...this.postings.get(term)! }))
      .filter((term) => term.messages <= maxMessages);
    if (rare.length < 2) return [];
    const valued = rare.map(({ weight, messages, seqs }) => ({
      worth: weight * Math.log(1 + this.messages / Math.max(1, messages)),
      isFact: weight === factWeight,
      seqs,
    }));
    const total = valued.reduce((sum, { worth }) => sum + worth, 0);
    const seqs: number[] = [];
    let left = valued;
    let reached = 0;
    let withFact = false;
    while (seqs.length < maxSources) {
      const best = heaviest(left);
      if (!best || best.worth < addsShare * total) break;
      const shared = left.filter((term) => term.seqs.includes(best.seq));
      const hasFact = shared.some(({ isFact }) => isFact);
      // A single word is no source.
      if (shared.length < 2 && !hasFact) break;
      withFact ||= hasFact;
      seqs.push(best.seq);
      reached += best.worth;
      left = left.filter((term) => !shared.includes(term));
    }
    const enough = withFact ? enoughShare.withFact : enoughShare.words;
    return reached >= enough * total ? seqs : [];
  }
}

/** Of messages that explain as much, the newest: it is where the summary's writer read it last. */
function heaviest(terms: readonly { worth: number; seqs: readonly number[] }[]) {
  const sums = new Map<number, number>();
  for (const { worth, seqs } of terms) for (const seq of seqs) sums.set(seq, (sums.get(seq) ?? 0) + worth);
  let best: { seq: number; worth: number } | undefined;
  for (const [seq, worth] of sums)
    if (!best || worth > best.worth || (worth === best.worth && seq > best.seq)) best = { seq, worth };
  return best;
}

const words = /[\p{L}\p{N}_]{4,40}/gu;
const factTerm = (fact: Fact): string => `=${fact.text}`;

function termsOf(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const [word] of text.matchAll(words)) terms.set(word.toLowerCase(), 1);
  for (const fact of factsOfText(text)) terms.set(factTerm(fact), factWeight);
  return terms;
}
