/** What the processes of a service spent. CPU is in milliseconds, all else in bytes or counts. */
export interface Spent {
  seconds: number;
  apiMs: number;
  workerMs: number;
  postgresMs: number;
  redisMs: number;
  /** Write-ahead log, images of full pages included. */
  logBytes: number;
  /** Pages of 8 KB that the log holds whole, because each was the first change of its page after a checkpoint. */
  fullPages: number;
  /** Growth of tables and indexes. */
  storedBytes: number;
  /** Growth of the folder of outputs. */
  outputBytes: number;
  /** Commands that Redis executed, those inside of scripts included. */
  redisCommands: number;
  /** Bytes between Redis and all of its clients. */
  redisBytes: number;
}

const keys = [
  'seconds',
  'apiMs',
  'workerMs',
  'postgresMs',
  'redisMs',
  'logBytes',
  'fullPages',
  'storedBytes',
  'outputBytes',
  'redisCommands',
  'redisBytes',
] as const satisfies readonly (keyof Spent)[];

const mapped = (map: (key: keyof Spent) => number): Spent =>
  Object.fromEntries(keys.map((key) => [key, map(key)])) as unknown as Spent;

export const difference = (after: Spent, before: Spent): Spent => mapped((key) => after[key] - before[key]);

export const perOne = (spent: Spent, count: number): Spent => mapped((key) => spent[key] / count);

/** Subtracts what an idle service spends in the same time; below zero there is only the noise of a clock tick. */
export const aboveIdle = (spent: Spent, idlePerSecond: Spent): Spent =>
  mapped((key) =>
    key === 'seconds' ? spent.seconds : Math.max(0, spent[key] - idlePerSecond[key] * spent.seconds),
  );
