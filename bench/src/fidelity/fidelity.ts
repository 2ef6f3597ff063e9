import { loadCounter } from '@spillway/engine';
import { hasTrajectories, loadSamples, loadTrajectories, type Trajectory } from '@spillway/testing';
import type { BenchResult, LocalOptions, Row } from '../bench.js';
import { modelSummarizer } from './model-summarizer.js';
import { needsRows } from './needs-rows.js';
import { quizzes } from './questions.js';
import { quizRows } from './quiz-rows.js';

const windows = [8_000, 16_000, 32_000];
const quizWindow = 12_000;

interface Group {
  what: string;
  threads: readonly Trajectory[];
}

/**
 * What an agent still knows after a fold. Needs: the identifiers that it writes itself in the 60 messages after a
 * fold and that were last said in the folded range; those that a message beside the summary says are not counted.
 * Quiz: questions that a continuing agent could have, answerable when each string that the answer needs is in the
 * context. By one search: in what one search of the thread shows, as the API bounds it, at the moment of the fold. In
 * this process, on the real engine; with --model through the provider that the environment names.
 */
export async function fidelity({ withModel }: LocalOptions): Promise<BenchResult> {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const summarizer = withModel ? modelSummarizer() : undefined;
  const rows: Row[] = [];
  for (const { what, threads } of groups())
    for (const window of windows)
      rows.push(...(await needsRows(what, threads, { window, counter, summarizer })));
  for (const quiz of quizzes())
    rows.push(...(await quizRows(quiz, { window: quizWindow, counter, summarizer })));
  return {
    name: 'fidelity',
    about:
      'Identifiers that agents used after a fold and that were last said in the folded range: how many are in the context? Which identifiers a summary keeps first is tuned on one half of the threads, every second by name, and measured on the other. Beside it what plain rules keep of the same needs in as many tokens, and what the cuts of other systems keep with 1,024 tokens of head and tail in the place of their summary. By one search: the same needs in the answer of one search of the thread, bounded as the API bounds it, when the fold is made. The query is the identifier itself; or it is only the words around it where the folded range said it last, up to four on either side in its line and without identifiers, or for a line without words the first eight of the step before it. Then questions about a thread that its last context answers, and that it answers together with one search for the question as it stands.',
    rows,
    complaints: [],
  };
}

function groups(): Group[] {
  const samples = { what: 'samples', threads: loadSamples() };
  if (!hasTrajectories()) return [samples];
  const all = loadTrajectories();
  return [
    { what: 'tuned half', threads: all.filter((_, i) => i % 2 === 0) },
    { what: 'held-back half', threads: all.filter((_, i) => i % 2 === 1) },
    samples,
  ];
}
