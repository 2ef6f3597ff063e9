import {
  factsIn,
  FactTable,
  formats,
  instructionsIn,
  loadCounter,
  SaidText,
  says,
  seqMessage,
  usesIn,
  activeInstructions,
  withStates,
  type MessageCounter,
  type SeqMessage,
} from '@spillway/engine';
import { extractiveSummarizer, type Summarizer } from '@spillway/llm';
import { hasTrajectories, loadSamples, loadTrajectories, type JsonMessage } from '@spillway/testing';
import { round, shareOf, type BenchResult, type Row } from '../bench.js';
import { OurThread, type Fold } from '../savings/our-thread.js';
import { FrozenSummaries } from './frozen-summaries.js';
import { ThreadReading } from './needs.js';

const ways = ['rolling', 'frozen'] as const;
type Way = (typeof ways)[number];
/** Small windows make many folds of recorded threads. */
const windows = [8_000, 16_000];
/** Folds, by how many there were before. */
const stages = [
  { what: 'folds 1 to 4', from: 1, to: 4 },
  { what: 'folds 5 to 19', from: 5, to: 19 },
  { what: 'fold 20 and later', from: 20, to: Infinity },
];
/** The facts that are asked for: so many of the heaviest of the folded range. */
const facts = 50;

interface Count {
  all: number;
  kept: number;
}
type Kept = Record<'needs' | 'facts' | 'instructions' | 'tokens', Count>;

/**
 * What is lost by summarizing a summary again and again. Rolling, as in the product: each fold summarizes the summary
 * before it together with its messages. Frozen: see frozen-summaries.ts. The same cuts, budgets and summarizer.
 */
export async function drift(): Promise<BenchResult> {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const rows: Row[] = [];
  for (const { what, threads } of groups()) {
    for (const window of windows) rows.push(...(await rowsOf(what, threads, window, counter)));
  }
  return {
    name: 'drift',
    about:
      'Rolling summaries, each made of the one before it and its own messages, against frozen ones: each fold keeps its own block, and two blocks that stand for equally many folds are made into one, so that nothing is summarized again more than log2 N times. The same rules for cuts, budgets and extractive summarizer. Needs: identifiers that the agent uses in the next 60 messages, as in fidelity. Facts: the 50 heaviest of the folded range. Instructions: those that hold.',
    rows,
    complaints: [],
  };
}

/** The samples are short: one after the other they are one long thread. */
function groups(): { what: string; threads: JsonMessage[][] }[] {
  const joined = loadSamples().flatMap(({ messages }) => messages);
  const samples = { what: 'samples, joined', threads: [joined] };
  if (!hasTrajectories()) return [samples];
  return [{ what: 'recorded threads', threads: loadTrajectories().map(({ messages }) => messages) }, samples];
}

async function rowsOf(
  what: string,
  threads: readonly JsonMessage[][],
  window: number,
  counter: MessageCounter,
): Promise<Row[]> {
  const kept = new Map<Way, Kept[]>();
  for (const way of ways) {
    const counts = stages.map(nothingKept);
    for (const messages of threads) {
      const summarizer = way === 'rolling' ? extractiveSummarizer : new FrozenSummaries();
      await measure(messages, window, counter, { summarizer, counts });
    }
    kept.set(way, counts);
  }
  return stages.flatMap((stage, i): Row[] => {
    const [rolling, frozen] = ways.map((way) => kept.get(way)![i]!);
    if (rolling!.tokens.all === 0) return [];
    return [
      {
        what: `${window / 1000} k, ${what}, ${stage.what}`,
        value: `rolling: ${words(rolling!)}`,
        against: `frozen: ${words(frozen!)}`,
        target: '',
        reached: null,
        // A share of nothing is no measure.
        ...(rolling!.needs.all > 0 && {
          guarded: { needs: shareOf(rolling!.needs.kept / rolling!.needs.all) },
        }),
      },
    ];
  });
}

const nothingKept = (): Kept => ({
  needs: { all: 0, kept: 0 },
  facts: { all: 0, kept: 0 },
  instructions: { all: 0, kept: 0 },
  tokens: { all: 0, kept: 0 },
});

const words = ({ needs, facts, instructions, tokens }: Kept): string =>
  [
    `needs ${share(needs)}`,
    `facts ${share(facts)}`,
    `instructions ${share(instructions)}`,
    `${round(tokens.kept / Math.max(1, tokens.all), 0)} tokens`,
  ].join(', ');

const share = ({ all, kept }: Count): string =>
  all === 0 ? 'none' : `${round((100 * kept) / all, 0)} % (${kept} of ${all})`;

async function measure(
  messages: readonly JsonMessage[],
  window: number,
  counter: MessageCounter,
  { summarizer, counts }: { summarizer: Summarizer; counts: readonly Kept[] },
): Promise<void> {
  const reading = new ThreadReading(messages);
  const read = messages.map((body, i) => seqMessage(i + 1, formats.openai.read(body)));
  let n = 0;
  const onFold = (fold: Fold): void => {
    n++;
    const stage = counts[stages.findIndex(({ from, to }) => n >= from && n <= to)]!;
    const add = (of: Count, all: number, kept: number): void => {
      of.all += all;
      of.kept += kept;
    };
    const needs = reading.needsAfter(fold);
    add(stage.needs, needs.length, needs.filter((value) => says(fold.text, value)).length);
    const heaviest = heaviestFacts(read, fold);
    const summaryText = new SaidText(fold.text);
    add(stage.facts, heaviest.length, heaviest.filter((text) => summaryText.says(text)).length);
    const hold = instructionsOf(read, fold);
    add(stage.instructions, hold.length, hold.filter((text) => fold.text.includes(text)).length);
    add(stage.tokens, 1, fold.tokens);
  };
  const thread = new OurThread({}, window, counter, { onFold, summarizer });
  for (const message of messages) await thread.post(message);
}

/** Of the folded messages that nothing beside the summary shows. */
function heaviestFacts(read: readonly SeqMessage[], { toSeq, verbatim }: Fold): string[] {
  const beside = new Set(verbatim);
  const table = new FactTable();
  for (const message of read.slice(0, toSeq))
    table.add(factsIn(message), {
      ...{ seq: message.seq, uses: usesIn(message) },
      carried: beside.has(message.seq),
    });
  return table
    .byWeight()
    .filter(({ carried }) => !carried)
    .slice(0, facts)
    .map(({ text }) => text);
}

/** What the user asked for from now on, in the folded messages; it stands in a slot that no summarizer writes. */
function instructionsOf(read: readonly SeqMessage[], { atSeq, toSeq, verbatim }: Fold): string[] {
  const beside = new Set(verbatim);
  const found = withStates(read.slice(0, atSeq).flatMap(instructionsIn));
  return activeInstructions(found)
    .filter(({ seq }) => seq <= toSeq && !beside.has(seq))
    .map(({ text }) => text);
}
