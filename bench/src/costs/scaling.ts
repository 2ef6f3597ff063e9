import { round } from '../bench.js';
import type { Spent } from './spent.js';
import type { Measured } from './work.js';

export interface Costs {
  idlePerSecond: Spent;
  append: Measured;
  appendAfterCheckpoint: Measured;
  changedContext: Measured;
  unchangedContext: Measured;
  output: Measured;
  foldByCode: Measured & { covered: number };
  foldByModel: Measured & { covered: number };
}

/** Of each message appended. The assumptions of every table; docs/operations/scaling.md lists them. */
export const traffic = {
  /** A turn is a message of the user or a tool and one of the assistant, and one context. */
  changedContexts: 0.5,
  unchangedContexts: 0.1,
  outputs: 0.05,
  messagesInThread: 50,
  /** The busiest second, by the mean of the day. */
  peak: 3,
} as const;

/** CPU that is planned for; the rest is for peaks within a second, checkpoints and vacuum. */
export const usableShare = 0.6;
const coresOfMachine = 16;
const daySeconds = 86_400;

/** What one message costs with its share of contexts, folds and outputs. */
export function perMessage(costs: Costs): Spent {
  const share: [Measured, number][] = [
    [costs.append, 1],
    [costs.changedContext, traffic.changedContexts],
    [costs.unchangedContext, traffic.unchangedContexts],
    [costs.output, traffic.outputs],
    [costs.foldByModel, 1 / costs.foldByModel.covered],
  ];
  const keys = Object.keys(costs.append.spent) as (keyof Spent)[];
  return Object.fromEntries(
    keys.map((key) => [key, share.reduce((sum, [{ spent }, of]) => sum + of * spent[key], 0)]),
  ) as unknown as Spent;
}

/** Cores, bytes and operations of a day with so many messages, at its busiest second. */
export interface Needs {
  messagesPerSecond: number;
  apiCores: number;
  workerCores: number;
  postgresCores: number;
  redisCores: number;
  logBytesPerSecond: number;
  /** With whole pages as right after a checkpoint. */
  logBytesPerSecondAtMost: number;
  redisCommandsPerSecond: number;
  storedBytesPerDay: number;
  outputBytesPerDay: number;
}

export function needsOf(costs: Costs, messagesPerDay: number): Needs {
  const one = perMessage(costs);
  const rate = (traffic.peak * messagesPerDay) / daySeconds;
  const cores = (ms: number): number => (rate * ms) / 1_000 / usableShare;
  const wholePages = costs.appendAfterCheckpoint.spent.logBytes - costs.append.spent.logBytes;
  return {
    messagesPerSecond: rate,
    apiCores: cores(one.apiMs),
    workerCores: cores(one.workerMs),
    postgresCores: cores(one.postgresMs),
    redisCores: cores(one.redisMs),
    logBytesPerSecond: rate * one.logBytes,
    logBytesPerSecondAtMost: rate * (one.logBytes + Math.max(0, wholePages)),
    redisCommandsPerSecond: rate * one.redisCommands,
    storedBytesPerDay: messagesPerDay * one.storedBytes,
    outputBytesPerDay: messagesPerDay * one.outputBytes,
  };
}

/** Messages a day that so many machines carry, if Postgres takes its share of their cores. */
export function carriedBy(costs: Costs, machines: number): number {
  const { apiMs, workerMs, postgresMs, redisMs } = perMessage(costs);
  const coreMs = machines * coresOfMachine * usableShare * 1_000;
  return ((coreMs / (apiMs + workerMs + postgresMs + redisMs)) * daySeconds) / traffic.peak;
}

const days: [string, number][] = [
  ['1 M messages', 1e6],
  [`1 M threads of ${traffic.messagesInThread} messages`, 1e6 * traffic.messagesInThread],
  ['1 B messages', 1e9],
];

/** The tables of docs/operations/scaling.md. */
export function scalingTables(costs: Costs): string {
  const one = perMessage(costs);
  const rows: [string, (needs: Needs) => string][] = [
    ['messages at the peak, by second', (needs) => whole(needs.messagesPerSecond)],
    ['API cores', (needs) => cores(needs.apiCores)],
    ['worker cores', (needs) => cores(needs.workerCores)],
    ['Postgres cores', (needs) => cores(needs.postgresCores)],
    ['Redis cores', (needs) => cores(needs.redisCores)],
    ['Redis commands, by second', (needs) => whole(needs.redisCommandsPerSecond)],
    [
      'write-ahead log, MB by second',
      (needs) => `${round(needs.logBytesPerSecond / 1e6)} to ${round(needs.logBytesPerSecondAtMost / 1e6)}`,
    ],
    ['tables and indexes, GB by day', (needs) => round(needs.storedBytesPerDay / 1e9)],
    ['outputs, GB by day', (needs) => round(needs.outputBytesPerDay / 1e9)],
  ];
  const ofDays = [
    `| | ${days.map(([name]) => `${name} a day`).join(' | ')} |`,
    `| --- | ${days.map(() => '---').join(' | ')} |`,
    ...rows.map(
      ([name, cell]) => `| ${name} | ${days.map(([, n]) => cell(needsOf(costs, n))).join(' | ')} |`,
    ),
  ];
  const ofMachines = [
    '| machines | cores | messages a day | at the peak, by second | of these cores, Postgres |',
    '| --- | --- | --- | --- | --- |',
    ...[1, 10, 100].map((machines) => {
      const carried = carriedBy(costs, machines);
      const needs = needsOf(costs, carried);
      return `| ${machines} | ${machines * coresOfMachine} | ${whole(carried / 1e6)} M | ${whole(needs.messagesPerSecond)} | ${cores(needs.postgresCores)} |`;
    }),
  ];
  const total = one.apiMs + one.workerMs + one.postgresMs + one.redisMs;
  const shares = `One message, with its share of contexts, folds and outputs, takes ${round(total, 2)} ms of CPU (API ${round(one.apiMs, 2)}, worker ${round(one.workerMs, 2)}, Postgres ${round(one.postgresMs, 2)}, Redis ${round(one.redisMs, 2)}), ${round(one.logBytes / 1_000)} KB of write-ahead log, ${round(one.storedBytes / 1_000)} KB of tables and indexes, ${round(one.outputBytes / 1_000)} KB of outputs and ${round(one.redisCommands, 1)} Redis commands. A fold covered ${round(costs.foldByModel.covered, 0)} messages.`;
  return [shares, '', ...ofDays, '', ...ofMachines].join('\n');
}

const whole = (value: number): string => round(value, 0);
const cores = (value: number): string => round(value, value < 10 ? 1 : 0);
