import { ownCopy } from '../messages/own-copy.js';
import type { Fact, FactKind } from './fact.js';

export interface FoundFact extends Fact {
  /** The first messages that say it, of `count` in all. */
  seqs: number[];
  count: number;
  lastSeq: number;
  /** How much it was used: more by what people and the agent wrote than by what tools printed. */
  uses: number;
  /** One of its messages is shown verbatim beside the summary. */
  carried: boolean;
}

export interface FactSource {
  seq: number;
  uses: number;
  carried: boolean;
}

/** A table never holds more facts than this, however long the thread is; the lighter half is then forgotten. */
const maxFacts = 40_000;
const firstSeqs = 5;

/** How much the loss of a fact costs, of two that were used as often: a constraint of the user most, a number least. */
const worth: Record<FactKind, number> = {
  constraint: 4,
  error: 1,
  path: 0.5,
  url: 0.5,
  email: 0.5,
  id: 0.5,
  command: 0,
  output: 0,
  number: -1,
};

/** Facts by what they say, gathered message by message in the order of the thread. */
export class FactTable {
  /** Facts that were left out to stay within bounds. */
  forgotten = 0;
  private facts = new Map<string, FoundFact>();

  constructor(private readonly max = maxFacts) {}

  add(facts: readonly Fact[], { seq, uses, carried }: FactSource): void {
    for (const { kind, text } of facts) {
      const key = `${kind} ${text}`;
      const known = this.facts.get(key);
      if (known) {
        if (known.seqs.length < firstSeqs) known.seqs.push(seq);
        known.count++;
        known.lastSeq = seq;
        known.uses += uses;
        known.carried ||= carried;
      } else {
        const own = ownCopy(text);
        const fact = { kind, text: own, seqs: [seq], count: 1, lastSeq: seq, uses, carried };
        this.facts.set(`${kind} ${own}`, fact);
      }
    }
    if (this.facts.size > this.max) this.forget();
  }

  /** The heaviest first: what was used most, newest and of most worth. */
  byWeight(): FoundFact[] {
    const all = [...this.facts.values()];
    const newest = Math.max(
      1,
      all.reduce((last, fact) => Math.max(last, fact.lastSeq), 0),
    );
    const weight = (fact: FoundFact): number =>
      Math.log2(1 + fact.uses) + (3 * fact.lastSeq) / newest + worth[fact.kind];
    return all
      .map((fact) => ({ fact, weight: weight(fact) }))
      .sort((a, b) => b.weight - a.weight || (a.fact.text < b.fact.text ? -1 : 1))
      .map(({ fact }) => fact);
  }

  private forget(): void {
    const kept = this.byWeight().slice(0, Math.ceil(this.max / 2));
    this.forgotten += this.facts.size - kept.length;
    this.facts = new Map(kept.map((fact) => [`${fact.kind} ${fact.text}`, fact]));
  }
}
