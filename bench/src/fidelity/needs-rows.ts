import { countMessage, formats, says, type MessageCounter } from '@spillway/engine';
import type { Summarizer } from '@spillway/llm';
import { agentScopeCut, chronosCut, dawnCut, type JsonMessage, type Trajectory } from '@spillway/testing';
import { round, shareOf, type Row } from '../bench.js';
import { countedMessage } from '../savings/counted-message.js';
import { OurThread, type Fold } from '../savings/our-thread.js';
import { summaryTokens, type Theirs } from '../savings/their-thread.js';
import { cutsOf, headAndTail, plainSummaries } from './baselines.js';
import { ThreadReading } from './needs.js';
import { OneSearch } from './one-search.js';

const target = 0.7;
/** Folds whose needs are shown by themselves. */
const shownFolds = [1, 5, 20];

export interface Folding {
  window: number;
  counter: MessageCounter;
  /** Left out: summaries by code. */
  summarizer: Summarizer | undefined;
}

/** The needs of a group of threads: how many the context has after each fold, and how many one search finds. */
export async function needsRows(
  what: string,
  threads: readonly Trajectory[],
  folding: Folding,
): Promise<Row[]> {
  const counts = new NeedCounts();
  for (const { messages } of threads) await countThread(counts, messages, folding);
  return counts.rows(`${folding.window / 1000} k, ${what}`);
}

/** A need after a fold, which one search is asked for. */
interface Asked {
  value: string;
  atSeq: number;
  words: string;
  inContext: boolean;
}

async function countThread(
  counts: NeedCounts,
  messages: readonly JsonMessage[],
  { window, counter, summarizer }: Folding,
): Promise<void> {
  const asked: Asked[] = [];
  const reading = new ThreadReading(messages);
  const sizes = messages.map((body) => countMessage(formats.openai.read(body), counter));
  const theirs = cutsOfOthers(messages, window, counter);
  let n = 0;
  const onFold = (fold: Fold): void => {
    n++;
    const needs = reading.needsAfter(fold);
    counts.addFold(fold, n, needs);
    if (needs.length === 0) return;
    for (const value of needs) {
      const words = reading.wordsAround(value, fold.toSeq);
      asked.push({ value, atSeq: fold.atSeq, words, inContext: says(fold.text, value) });
    }
    const { texts } = reading;
    const range = texts.slice(0, fold.toSeq).join('\n');
    for (const [name, rule] of Object.entries(plainSummaries))
      counts.addOther(name, needs, rule(range, fold.tokens, counter.text));
    for (const [name, cuts] of Object.entries(theirs)) {
      const cut = cuts[fold.atSeq - 1]!;
      const kept = texts.slice(cut, fold.atSeq).join('\n');
      const tokens = sizes.slice(cut, fold.atSeq).reduce((sum, size) => sum + size, summaryTokens);
      const summary = headAndTail(texts.slice(0, cut).join('\n'), summaryTokens, counter.text);
      counts.addOther(name, needs, `${summary}\n${kept}`, tokens > window);
    }
  };
  const thread = new OurThread({}, window, counter, { onFold, ...(summarizer ? { summarizer } : {}) });
  for (const message of messages) await thread.post(message);
  if (n > 0) counts.foldedThreads++;
  const search = new OneSearch(messages, thread.held(), counter.text);
  for (const need of asked) counts.addSearches(need, (query) => search.answer(query, need.atSeq, window));
}

/** What was counted over the threads of a group. */
class NeedCounts {
  foldedThreads = 0;
  private needed = 0;
  private ours = 0;
  private folds = 0;
  private tokens = 0;
  /** Needs and how many of them were kept, by the number of the fold in its thread. */
  private readonly byFold = new Map<number, { all: number; kept: number }>();
  /** By the name of another system: needs that it kept, its contexts, and how many of them were over the window. */
  private readonly others = new Map<string, { kept: number; contexts: number; over: number }>();
  private readonly bySearch = { identifier: 0, words: 0, contextOrIdentifier: 0, contextOrWords: 0 };

  addFold({ text, tokens }: Fold, n: number, needs: readonly string[]): void {
    this.folds++;
    this.tokens += tokens;
    const kept = keptOf(needs, text);
    this.needed += needs.length;
    this.ours += kept;
    const before = this.byFold.get(n) ?? { all: 0, kept: 0 };
    this.byFold.set(n, { all: before.all + needs.length, kept: before.kept + kept });
  }

  addOther(name: string, needs: readonly string[], context: string, isOver = false): void {
    const before = this.others.get(name) ?? { kept: 0, contexts: 0, over: 0 };
    this.others.set(name, {
      kept: before.kept + keptOf(needs, context),
      contexts: before.contexts + 1,
      over: before.over + Number(isOver),
    });
  }

  addSearches({ value, words, inContext }: Asked, answer: (query: string) => string): void {
    const byIdentifier = says(answer(value), value);
    const byWords = words !== '' && says(answer(words), value);
    this.bySearch.identifier += Number(byIdentifier);
    this.bySearch.words += Number(byWords);
    this.bySearch.contextOrIdentifier += Number(inContext || byIdentifier);
    this.bySearch.contextOrWords += Number(inContext || byWords);
  }

  /** No rows where nothing was needed. */
  rows(title: string): Row[] {
    const { needed, ours, folds, foldedThreads, bySearch } = this;
    if (needed === 0) return [];
    const after = shownFolds.flatMap((n) => {
      const { all, kept } = this.byFold.get(n) ?? { all: 0, kept: 0 };
      return all === 0 ? [] : [`after fold ${n} ${kept} of ${all}`];
    });
    return [
      {
        what: `${title}: needs in the context`,
        value: `${this.share(ours)} (${ours} of ${needed}; ${after.join(', ')})`,
        against: [...this.others].map(([name, other]) => this.otherText(name, other)).join(', '),
        target: '>= 70 %',
        reached: ours / needed >= target,
        guarded: { share: shareOf(ours / needed) },
      },
      {
        what: `${title}: needs by one search`,
        value: `${this.share(bySearch.identifier)} for the identifier (${bySearch.identifier} of ${needed}), ${this.share(bySearch.words)} for the words around it`,
        against: `in the context or by it: ${this.share(bySearch.contextOrIdentifier)}, ${this.share(bySearch.contextOrWords)}`,
        target: '100 % for the identifier',
        reached: bySearch.identifier === needed,
        guarded: { share: shareOf(bySearch.identifier / needed) },
      },
      {
        what: `${title}: summaries`,
        value: `${round(folds / Math.max(1, foldedThreads), 1)} a thread, ${round(this.tokens / folds, 0)} tokens each`,
        against: `${foldedThreads} threads that fold`,
        target: '',
        reached: null,
      },
    ];
  }

  private share(n: number): string {
    return `${round((100 * n) / this.needed, 0)} %`;
  }

  private otherText(
    name: string,
    { kept, contexts, over }: { kept: number; contexts: number; over: number },
  ): string {
    const tooLarge = over > 0 ? ` (${round((100 * over) / contexts, 0)} % over the window)` : '';
    return `${name} ${this.share(kept)}${tooLarge}`;
  }
}

const keptOf = (needs: readonly string[], text: string): number =>
  needs.filter((value) => says(text, value)).length;

function cutsOfOthers(
  messages: readonly JsonMessage[],
  window: number,
  counter: MessageCounter,
): Record<string, number[]> {
  const counted = messages.map((body) => countedMessage(body, counter));
  const rule = (cut: Theirs['cut']): number[] => cutsOf(counted, { shown: ({ plain }) => plain.tokens, cut });
  return {
    AgentScope: rule((live, tokens) =>
      agentScopeCut(live, tokens, { window, triggerRatio: 0.8, reserveRatio: 0.1 }),
    ),
    Dawn: rule((live, tokens) =>
      dawnCut(live, tokens, { maxTokens: Math.min(12_000, window), keepRecentTurns: 6 }),
    ),
    Chronos: rule((live, tokens) => chronosCut(live, tokens, { limit: window, threshold: 0.8, pairs: 5 })),
  };
}
