import { loadavg } from 'node:os';
import { startStubLlm, type Stack } from '@spillway/testing';
import { round, type BenchResult, type Row } from '../bench.js';
import { openMeter } from './meter.js';
import { scalingTables, type Costs } from './scaling.js';
import { aboveIdle, type Spent } from './spent.js';
import {
  appends,
  appendsToColdPages,
  contexts,
  folds,
  idle,
  outputs,
  type Measuring,
  type Measured,
} from './work.js';

const about = `What one operation costs, in the mean over so many of them, 16 in flight. CPU comes from \`/proc\`, the log from
\`pg_current_wal_insert_lsn()\`, commands from \`INFO commandstats\`. What the idle service spends in the same time is
subtracted.

- **CPU** is that of the API, the worker, all processes of Postgres, and Redis.
- **Log** is write-ahead log. After a checkpoint the first change of a page logs the whole page. The row "right after a
  checkpoint" is the worst case of that: one append to each of 2,000 threads whose rows are in as many pages.
- **Stored** is the growth of tables and indexes, and for an output of the folder of outputs.
- **A context** is that of a thread of 21 to 28 messages of 1 KB without a summary.
- **A fold** includes the append of 24 messages that makes it due, in a window of 16,000 tokens. The model is the stub
  server, which answers at once.
- **An output** is a tool result of 100 KB, in one request with its call.

[scaling.md](operations/scaling.md) computes from these numbers what a day of traffic needs.`;

/** What each operation costs each process, and what follows for larger installations. */
export async function costs(stack: Stack): Promise<BenchResult> {
  const complaints: string[] = [];
  const meter = await openMeter(stack);
  const measuring: Measuring = { stack, meter, complain: (what) => complaints.push(what) };
  const load = loadavg()[0]!;
  const stub = await startStubLlm();
  try {
    // The first requests compile code and open connections.
    await appends(measuring, 'warm', 200, 1_000);
    const perSecond = await idle(measuring);
    const net = <M extends Measured>(measured: M): M => ({
      ...measured,
      spent: aboveIdle(measured.spent, perSecond),
    });
    const append = net(await appends(measuring, 'append', 1_000, 4_000));
    const { changed, unchanged } = await contexts(measuring);
    const output = net(await outputs(measuring, 300));
    const foldByCode = net(await folds(measuring, 'code', 100));
    await stack.workers[0]!.stop();
    meter.watchWorker(await stack.startWorker(stub.env));
    const asked = stub.calls.length;
    // A fresh worker compiles its code during its first folds.
    await folds(measuring, 'first', 20);
    const foldByModel = net(await folds(measuring, 'model', 100));
    if (stub.calls.length - asked < 120)
      complaints.push(`${stub.calls.length - asked} calls of the model for 120 folds`);
    // The last one: what comes after a checkpoint pays for it, too.
    const appendAfterCheckpoint = net(await appendsToColdPages(measuring));
    const measured: Costs = {
      idlePerSecond: perSecond,
      append,
      appendAfterCheckpoint,
      changedContext: net(changed),
      unchangedContext: net(unchanged),
      output,
      foldByCode,
      foldByModel,
    };
    return {
      name: 'costs',
      about: `${about}\n\nLoad average ${round(load)} at the start, ${round(loadavg()[0]!)} at the end; CPU times and counts do not depend on waiting for a core.`,
      complaints,
      rows: rowsFor(measured),
      pages: [{ path: 'docs/operations/scaling.md', text: scalingTables(measured) }],
    };
  } finally {
    await stub.stop();
    await meter.close();
  }
}

const named = {
  append: 'append of 1 KB',
  appendAfterCheckpoint: 'append of 1 KB, right after a checkpoint',
  changedContext: 'context that changed',
  unchangedContext: 'context that did not change',
  output: 'output of 100 KB',
  foldByCode: 'fold by code',
  foldByModel: 'fold by the stub model',
} as const satisfies Partial<Record<keyof Costs, string>>;

/** Counts that hold on other machines; CPU times do not. */
function guarded({ logBytes, redisCommands }: Spent): Row['guarded'] {
  return {
    'log bytes': { value: logBytes, better: 'less', within: 0.25 },
    ...(redisCommands >= 1 && {
      'Redis commands': { value: redisCommands, better: 'less' as const, within: 0.25 },
    }),
  };
}

const unguarded = { target: '', reached: null };

function rowsFor(costs: Costs): Row[] {
  const rows = (Object.keys(named) as (keyof typeof named)[]).map((key): Row => {
    const { spent, count } = costs[key];
    return {
      what: `${named[key]} (${count.toLocaleString('en-US')})`,
      value: cpu(spent),
      against: counts(spent),
      ...unguarded,
      // Whether a checkpoint falls into the run decides about the others' whole pages.
      ...(key === 'append' && { guarded: guarded(spent)! }),
    };
  });
  const idle = costs.idlePerSecond;
  return [...rows, { what: 'idle, by second', value: cpu(idle), against: counts(idle), ...unguarded }];
}

const cpu = (spent: Spent): string =>
  `CPU ms: API ${round(spent.apiMs, 2)}, worker ${round(spent.workerMs, 2)}, Postgres ${round(spent.postgresMs, 2)}, Redis ${round(spent.redisMs, 2)}`;

const kilobytes = (bytes: number): string => round(bytes / 1_000, 1);

const counts = (spent: Spent): string =>
  [
    `log ${kilobytes(spent.logBytes)} KB with ${round(spent.fullPages, 2)} whole pages`,
    `stored ${kilobytes(spent.storedBytes)} KB`,
    ...(spent.outputBytes >= 1 ? [`outputs ${kilobytes(spent.outputBytes)} KB`] : []),
    `Redis ${round(spent.redisCommands, 1)} commands, ${kilobytes(spent.redisBytes)} KB`,
  ].join('; ');
