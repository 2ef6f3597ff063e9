import { loadSamples } from '@spillway/testing';
import { shareOf, type Row } from '../bench.js';
import { OurThread, type Fold } from '../savings/our-thread.js';
import { plainSummaries } from './baselines.js';
import { ThreadReading } from './needs.js';
import type { Folding } from './needs-rows.js';
import { OneSearch } from './one-search.js';
import type { Quiz } from './quiz.js';

/** How many questions the last context of a thread answers, and how many it answers together with one search. */
export async function quizRows(
  { thread, questions, heldBack = false }: Quiz,
  { window, counter, summarizer }: Folding,
): Promise<Row[]> {
  const sample = loadSamples().find(({ name }) => name === thread);
  if (!sample) throw new Error(`A quiz is about ${thread}, which is no sample.`);
  let last: Fold | undefined;
  const onFold = (fold: Fold): void => void (last = fold);
  const ours = new OurThread({}, window, counter, { onFold, ...(summarizer ? { summarizer } : {}) });
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
    const both = `${context}\n${search.answer(q, texts.length, window)}`;
    return needs.every((need) => both.includes(need));
  }).length;
  const what = `${window / 1000} k: questions about ${thread}${heldBack ? ', held back' : ''}`;
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
