import {
  countMessage,
  entryOfMessage,
  formats,
  isSystem,
  loadCounter,
  says,
  textOf,
  type MessageCounter,
} from '@spillway/engine';
import type { Summarizer } from '@spillway/llm';
import {
  agentScopeCut,
  chronosCut,
  dawnCut,
  hasTrajectories,
  loadSamples,
  loadTrajectories,
  type Plain,
  type Trajectory,
} from '@spillway/testing';
import { round, shareOf, type BenchResult, type Row } from '../bench.js';
import { OurThread, type Fold } from '../savings/our-thread.js';
import type { Counted, Theirs } from '../savings/their-thread.js';
import { cutsOf, headAndTail, plainSummaries, summaryTokens } from './baselines.js';
import { modelSummarizer } from './model-summarizer.js';
import { ThreadReading } from './needs.js';
import { OneSearch } from './one-search.js';
import { quizzes } from './questions.js';
import type { Quiz } from './quiz.js';

const windows = [8_000, 16_000, 32_000];
const quizWindow = 12_000;
const target = 0.7;

/** Needs by who had them in the context. */
type Found = Record<string, number>;

interface Group {
  what: string;
  threads: readonly Trajectory[];
  reached: boolean;
}

/**
 * What an agent still knows after a fold. Needs: the identifiers that it writes itself in the 60 messages after a
 * fold and that were last said in the folded range; those that a message beside the summary says are not counted.
 * Quiz: questions that a continuing agent could have, answerable when each string that the answer needs is in the
 * context. By one search: in what one search of the thread shows, as the API bounds it, at the moment of the fold. In
 * this process, on the real engine; with --model through the provider that the environment names.
 */
export async function fidelity(): Promise<BenchResult> {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const summarizer = process.argv.includes('--model') ? modelSummarizer() : undefined;
  const rows: Row[] = [];
  for (const group of groups())
    for (const window of windows) await addNeeds(rows, group, window, counter, summarizer);
  for (const quiz of quizzes()) rows.push(...(await quizRows(quiz, counter, summarizer)));
  return {
    name: 'fidelity',
    about:
      'Identifiers that agents used after a fold and that were last said in the folded range: how many are in the context? The ranks are tuned on one half of the threads, every second by name, and measured on the other. Beside it what plain rules keep of the same needs in as many tokens, and what the cuts of other systems keep with 1,024 tokens of head and tail in the place of their summary. By one search: the same needs in the answer of one search of the thread, bounded as the API bounds it, when the fold is made. The query is the identifier itself; or it is only the words around it where the folded range said it last, up to four on either side in its line and without identifiers, or for a line without words the first eight of the step before it. Then questions about a thread that its last context answers, and that it answers together with one search for the question as it stands.',
    rows,
    complaints: [],
  };
}

function groups(): Group[] {
  const samples = { what: 'samples', threads: loadSamples(), reached: true };
  if (!hasTrajectories()) return [samples];
  const all = loadTrajectories();
  return [
    { what: 'tuned half', threads: all.filter((_, i) => i % 2 === 0), reached: true },
    { what: 'held-back half', threads: all.filter((_, i) => i % 2 === 1), reached: true },
    samples,
  ];
}

async function addNeeds(
  rows: Row[],
  { what, threads }: Group,
  window: number,
  counter: MessageCounter,
  summarizer: Summarizer | undefined,
): Promise<void> {
  const found: Found = {};
  const over: Found = {};
  const compared: Found = {};
  const byFold = new Map<number, [number, number]>();
  let needed = 0;
  let folds = 0;
  let tokens = 0;
  let folded = 0;
  const bySearch = { identifier: 0, words: 0, contextOrIdentifier: 0, contextOrWords: 0 };
  for (const { messages } of threads) {
    const asked: { value: string; atSeq: number; words: string; inContext: boolean }[] = [];
    const reading = new ThreadReading(messages);
    const { texts } = reading;
    const sizes = messages.map((body) => countMessage(formats.openai.read(body), counter));
    const theirs = cutsOfOthers(messages, window, counter);
    let n = 0;
    const onFold = (fold: Fold): void => {
      n++;
      folds++;
      tokens += fold.tokens;
      const needs = reading.needsAfter(fold);
      if (needs.length === 0) return;
      needed += needs.length;
      const count = (name: string, text: string): number => {
        const hits = needs.filter((value) => says(text, value)).length;
        found[name] = (found[name] ?? 0) + hits;
        return hits;
      };
      const hits = count('ours', fold.text);
      for (const value of needs) {
        const words = reading.wordsAround(value, fold.toSeq);
        asked.push({ value, atSeq: fold.atSeq, words, inContext: says(fold.text, value) });
      }
      const [all, had] = byFold.get(n) ?? [0, 0];
      byFold.set(n, [all + needs.length, had + hits]);
      const range = texts.slice(0, fold.toSeq).join('\n');
      for (const [name, rule] of Object.entries(plainSummaries))
        count(name, rule(range, fold.tokens, counter.text));
      for (const [name, cuts] of Object.entries(theirs)) {
        const cut = cuts[fold.atSeq - 1]!;
        const kept = texts.slice(cut, fold.atSeq).join('\n');
        if (sizes.slice(cut, fold.atSeq).reduce((sum, size) => sum + size, summaryTokens) > window)
          over[name] = (over[name] ?? 0) + 1;
        compared[name] = (compared[name] ?? 0) + 1;
        count(name, `${headAndTail(texts.slice(0, cut).join('\n'), summaryTokens, counter.text)}\n${kept}`);
      }
    };
    const thread = new OurThread({}, window, counter, { onFold, ...(summarizer ? { summarizer } : {}) });
    for (const message of messages) await thread.post(message);
    if (n > 0) folded++;
    const search = new OneSearch(messages, thread.held(), counter.text);
    for (const { value, atSeq, words, inContext } of asked) {
      const isIn = (query: string): boolean => says(search.answer(query, atSeq, window), value);
      const byIdentifier = isIn(value);
      const byWords = words !== '' && isIn(words);
      bySearch.identifier += Number(byIdentifier);
      bySearch.words += Number(byWords);
      bySearch.contextOrIdentifier += Number(inContext || byIdentifier);
      bySearch.contextOrWords += Number(inContext || byWords);
    }
  }
  if (needed === 0) return;
  const share = (n: number): string => `${round((100 * n) / needed, 0)} %`;
  const { ours = 0, ...others } = found;
  const after = [1, 5, 20].flatMap((n) => {
    const [all, had] = byFold.get(n) ?? [0, 0];
    return all === 0 ? [] : [`after fold ${n} ${had} of ${all}`];
  });
  rows.push({
    what: `${window / 1000} k, ${what}: needs in the context`,
    value: `${share(ours)} (${ours} of ${needed}; ${after.join(', ')})`,
    against: Object.entries(others)
      .map(([name, n]) => {
        const tooLarge = over[name]
          ? ` (${round((100 * over[name]) / compared[name]!, 0)} % over the window)`
          : '';
        return `${name} ${share(n)}${tooLarge}`;
      })
      .join(', '),
    target: '>= 70 %',
    reached: ours / needed >= target,
    guarded: { share: shareOf(ours / needed) },
  });
  rows.push({
    what: `${window / 1000} k, ${what}: needs by one search`,
    value: `${share(bySearch.identifier)} for the identifier (${bySearch.identifier} of ${needed}), ${share(bySearch.words)} for the words around it`,
    against: `in the context or by it: ${share(bySearch.contextOrIdentifier)}, ${share(bySearch.contextOrWords)}`,
    target: '100 % for the identifier',
    reached: bySearch.identifier === needed,
    guarded: { share: shareOf(bySearch.identifier / needed) },
  });
  rows.push({
    what: `${window / 1000} k, ${what}: summaries`,
    value: `${round(folds / Math.max(1, folded), 1)} a thread, ${round(tokens / folds, 0)} tokens each`,
    against: `${folded} threads that fold`,
    target: '',
    reached: null,
  });
}

function cutsOfOthers(
  messages: Trajectory['messages'],
  window: number,
  counter: MessageCounter,
): Record<string, number[]> {
  const counted = messages.map((body): Counted => {
    const message = formats.openai.read(body);
    const tokens = countMessage(message, counter);
    const entry = entryOfMessage(message, { seq: 1, tokens, pinned: false, format: 'openai' });
    const role = isSystem(entry) ? 'system' : (entry.role as Plain['role']);
    const plain = { role, tokens, calls: [...entry.calls], answers: entry.answers[0] ?? null };
    return { plain, characters: textOf(message).length, tenLines: 0 };
  });
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

async function quizRows(
  { thread, questions, heldBack = false }: Quiz,
  counter: MessageCounter,
  summarizer: Summarizer | undefined,
): Promise<Row[]> {
  const sample = loadSamples().find(({ name }) => name === thread);
  if (!sample) throw new Error(`A quiz is about ${thread}, which is no sample.`);
  let last: Fold | undefined;
  const onFold = (fold: Fold): void => void (last = fold);
  const ours = new OurThread({}, quizWindow, counter, { onFold, ...(summarizer ? { summarizer } : {}) });
  for (const message of sample.messages) await ours.post(message);
  const { texts } = new ThreadReading(sample.messages);
  const beside = last ? last.verbatim.filter((seq) => seq <= last!.toSeq).map((seq) => texts[seq - 1]!) : [];
  const recent = texts.slice(last?.toSeq ?? 0).join('\n');
  const answered = (...parts: string[]): number => {
    const context = [...parts, ...beside, recent].join('\n');
    return questions.filter(({ needs }) => needs.every((need) => context.includes(need))).length;
  };
  const range = texts.slice(0, last?.toSeq ?? 0).join('\n');
  const others = Object.entries(plainSummaries).map(
    ([name, rule]) => `${name} ${answered(rule(range, last?.tokens ?? 0, counter.text))}`,
  );
  const search = new OneSearch(sample.messages, ours.held(), counter.text);
  const context = [last?.text ?? '', ...beside, recent].join('\n');
  const withSearch = questions.filter(({ q, needs }) => {
    const both = `${context}\n${search.answer(q, texts.length, quizWindow)}`;
    return needs.every((need) => both.includes(need));
  }).length;
  const what = `${quizWindow / 1000} k: questions about ${thread}${heldBack ? ', held back' : ''}`;
  return [
    {
      what,
      value: `${answered(last?.text ?? '')} of ${questions.length}`,
      against: [`nothing ${answered()}`, ...others].join(', '),
      target: `>= ${Math.ceil(questions.length / 2)}`,
      reached: answered(last?.text ?? '') >= questions.length / 2,
      guarded: { share: shareOf(answered(last?.text ?? '') / questions.length) },
    },
    {
      what: `${what}, with one search for the question`,
      value: `${withSearch} of ${questions.length}`,
      against: '',
      target: `>= ${Math.ceil(questions.length * 0.9)}`,
      reached: withSearch >= questions.length * 0.9,
      guarded: { share: shareOf(withSearch / questions.length) },
    },
  ];
}
