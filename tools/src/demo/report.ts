import type { Aftermath } from './aftermath.js';
import type { Checks } from './checks.js';
import type { Latencies } from './latencies.js';
import type { OutputSearch } from './output-search.js';
import type { Replayed } from './replay.js';

export interface Finished {
  replayed: Replayed;
  aftermath: Aftermath;
}

const number = (n: number): string => n.toLocaleString('en-US');
const plural = (n: number, noun: string): string => `${number(n)} ${noun}${n === 1 ? '' : 's'}`;

/** What a thread cost with and without Spillway. */
export function threadLines({ replayed, aftermath }: Finished): string[] {
  const { wholeTokens: whole, sentTokens: sent } = replayed;
  const saved = whole === 0 ? 0 : (100 * (whole - sent)) / whole;
  const { thread, summaries } = aftermath;
  const degraded = replayed.degraded ? `, ${plural(replayed.degraded, 'degraded context')}` : '';
  const { state, reason } = thread.compaction;
  const parked = state === 'parked' ? `; parked: ${reason}` : '';
  return [
    `${replayed.threadId}: ${plural(thread.last_seq, 'message')}, ${plural(replayed.modelCalls, 'model call')}, window ${number(thread.context_window)}`,
    `  whole history each time   ${number(whole).padStart(12)} input tokens`,
    `  sent with Spillway        ${number(sent).padStart(12)} input tokens   ${saved.toFixed(1)} % saved`,
    `  ${plural(summaries.length, 'compaction')}, ${plural(thread.output_count, 'output')} offloaded${degraded}; now ${number(thread.live_tokens)} of ${number(thread.total_tokens)} tokens${parked}`,
  ];
}

/** The newest summary's five fields, and its facts. */
export function summaryLines({ replayed, aftermath }: Finished): string[] {
  const summary = aftermath.summaries.toSorted((a, b) => b.generation - a.generation)[0];
  if (!summary) return [];
  const title = `Summary of ${replayed.threadId}, generation ${summary.generation}, seq 1 to ${summary.to_seq}, ${number(summary.tokens)} tokens (${summary.method})`;
  return [
    title,
    ...Object.entries({ ...summary.fields, facts: summary.facts }).flatMap(([name, text]) => [
      `  ${name}`,
      indented(text, 1200),
    ]),
  ];
}

/** One offloaded output: its stub, and a search in the rest. */
export function searchLines(search: OutputSearch): string[] {
  const matches = search.matches.map((match) => `    ${match.line}: ${match.text.trim().slice(0, 160)}`);
  return [
    'What the model sees of an offloaded output',
    indented(search.stub, 1500),
    `And a search in it: grep ${search.word} (${number(search.scannedLines)} lines read)`,
    ...matches,
  ];
}

export function checkLines(checks: Checks, appends: Latencies, contexts: Latencies): string[] {
  return [`Checks`, ...checks.lines(), `  append   ${appends.summary()}`, `  context  ${contexts.summary()}`];
}

function indented(text: string, longest: number): string {
  const shown = text.length > longest ? `${text.slice(0, longest)} ...` : text;
  return shown
    .split('\n')
    .map((line) => `    ${line.slice(0, 200)}`)
    .join('\n');
}
