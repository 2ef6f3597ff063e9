import '@spillway/node-version/require';
import { Argument, Command } from 'commander';
import { startTestPostgres } from '@spillway/testing';
import { startBenchStack, type Bench, type BenchResult, type LocalBench } from './bench.js';
import { compare, readBaseline, writeBaseline } from './baseline.js';
import { contextRead } from './context-read.js';
import { costs } from './costs/costs.js';
import { drift } from './fidelity/drift.js';
import { fidelity } from './fidelity/fidelity.js';
import { instructions } from './fidelity/instructions.js';
import { ingestSingle } from './ingest-single.js';
import { memory } from './memory.js';
import { overhead } from './overhead.js';
import { peers } from './peers/peers.js';
import { preview } from './previews/preview.js';
import { explain } from './plans/explain.js';
import { probes } from './probes.js';
import { manyThreads } from './scale/many-threads.js';
import { processes } from './scale/processes.js';
import { savings } from './savings/savings.js';
import { tracing } from './tracing.js';
import { machine, save, table, writePages, writeSections, writeTables } from './report.js';

const benches: Record<string, Bench> = {
  'ingest-single': ingestSingle,
  'context-read': contextRead,
  overhead,
  memory,
  processes,
  'many-threads': manyThreads,
  costs,
  tracing,
  probes,
};

const localBenches: Record<string, LocalBench> = {
  preview,
  savings,
  fidelity,
  instructions,
  drift,
  explain,
  peers,
};

/** `npm run bench`: measures, prints tables, and fails when a measurement is not sound. */
async function main(): Promise<number> {
  const all = [...Object.keys(benches), ...Object.keys(localBenches)];
  const command = new Command('npm run bench --')
    .description('Measures and prints tables. Fails when a measurement is not sound.')
    .addArgument(new Argument('[name...]', 'what to measure (default: all)').choices(all))
    .option('--write', 'write docs/benchmarks.md, the numbers of the README and bench/baseline.json', false)
    .option('--check', 'fail when a number is worse than in bench/baseline.json', false)
    .option('--model', 'measure fidelity with the model that the environment names', false)
    .parse();
  const [named] = command.processedArgs as [string[]];
  const asked = command.opts<{ write: boolean; check: boolean; model: boolean }>();
  console.log(machine());
  const chosen = named.length > 0 ? named : all;
  const results: BenchResult[] = [];
  const add = async (result: BenchResult): Promise<void> => {
    results.push(result);
    await save(result);
    if (result.rows.length > 0) console.log(`\n${table(result)}`);
  };
  const onStack = chosen.filter((name) => name in benches);
  if (onStack.length > 0) await runOnStacks(onStack, add);
  for (const name of chosen)
    if (name in localBenches) await add(await localBenches[name]!({ withModel: asked.model }));
  if (asked.write) {
    await (named.length > 0 ? writeSections(results) : writeTables(results));
    await writePages(results);
    await writeBaseline(results);
  }
  const { worse, notCompared } = asked.check
    ? compare(results, await readBaseline())
    : { worse: [], notCompared: [] };
  for (const what of notCompared) console.log(`not compared: ${what}`);
  for (const what of worse) console.error(what);
  const complaints = results.flatMap(({ name, complaints }) => complaints.map((what) => `${name}: ${what}`));
  for (const complaint of complaints) console.error(complaint);
  return complaints.length + worse.length === 0 ? 0 : 1;
}

async function runOnStacks(
  names: readonly string[],
  add: (result: BenchResult) => Promise<void>,
): Promise<void> {
  const postgres = await startTestPostgres({ durable: true });
  process.env.SPILLWAY_TEST_POSTGRES = postgres.url;
  try {
    for (const name of names) {
      const stack = await startBenchStack();
      try {
        await add(await benches[name]!(stack));
      } finally {
        await stack.stop();
      }
    }
  } finally {
    await postgres.stop();
  }
}

process.exitCode = await main();
