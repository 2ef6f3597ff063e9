import { startStack, type Stack } from '@spillway/testing';

/** One measured row of a table, and whether it reached its target; null without a target. */
export interface Row {
  what: string;
  value: string;
  against: string;
  target: string;
  reached: boolean | null;
  /** The text of the row for readers of the README only; few rows have one. */
  headline?: { what: string; against: string };
  /** Numbers of the row that `--check` compares with bench/baseline.json, by name. */
  guarded?: Record<string, Guarded>;
}

/** A share, a ratio or a count: what holds on other machines, too. */
export interface Guarded {
  value: number;
  better: 'more' | 'less';
  /** By which share of the baseline it may be worse: how much it differs between runs of one commit. */
  within: number;
}

/** A share of fixed inputs: the same in every run, so it may not fall by more than a hundredth. */
export const shareOf = (value: number): Guarded => ({ value, better: 'more', within: 0.01 });

export interface BenchResult {
  name: string;
  /** What is measured and how, in one or two sentences; Markdown with a list where peers have settings of their own. */
  about: string;
  rows: Row[];
  /** Problems of the measurement itself; with problems its numbers are invalid. */
  complaints: string[];
  /** Markdown that follows from the numbers, for other pages: it stands between their marks. */
  pages?: { path: string; text: string }[];
}

/** To Postgres, of each process: the API's, and of the baseline that it is compared with. */
export const connections = 16;

export type Bench = (stack: Stack) => Promise<BenchResult>;

/** An API and a worker as in production, with a database of their own on the Postgres of the run. */
export const startBenchStack = (): Promise<Stack> =>
  startStack({
    memory: 'production',
    // One key asks for more than a key may by default: 2,000 requests a second, and searches.
    env: {
      LOG_LEVEL: 'error',
      SPILLWAY_POOL: `${connections}`,
      SPILLWAY_RATE_LIMIT: '100000',
      SPILLWAY_EXPENSIVE_RATE_LIMIT: '100000',
    },
  });

export interface LocalOptions {
  /** Summaries by the model that the environment names, where a bench can take them. */
  withModel: boolean;
}

/** Runs in this process, without a database or servers. */
export type LocalBench = (options: LocalOptions) => Promise<BenchResult>;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const round = (value: number, digits = 1): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
