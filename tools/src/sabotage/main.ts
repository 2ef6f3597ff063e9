import '@spillway/node-version/require';
import { Command } from 'commander';
import { writeGenerated } from '../generated-files.js';
import { repository } from '../repository.js';
import { within } from '../within.js';
import { sabotagePages } from './documents.js';
import type { Guard } from './guard.js';
import { guards } from './guards.js';
import { complaintOf } from './guard-files.js';
import { hashOf, readResults, resultOf, writeResults, type Sabotaged } from './results.js';
import { runTest } from './run-test.js';
import { makeScratch, type Scratch } from './scratch.js';

interface Options {
  only?: string;
  missing: boolean;
  workers: number;
}

/**
 * `npm run sabotage`: removes guards one by one and requires their tests to fail. Records the result of each guard, so
 * that an interrupted run continues with `--missing`, and writes docs/sabotage.md and docs/review.md.
 */
async function main({ only, missing, workers }: Options): Promise<boolean> {
  const recorded = await readResults();
  const chosen = guards.filter(
    (guard) =>
      (only === undefined || matches(guard, only)) && (!missing || resultOf(guard, recorded) !== 'failed'),
  );
  const complaints = (await Promise.all(chosen.map((guard) => complaintOf(repository, guard)))).filter(
    (complaint) => complaint !== null,
  );
  if (complaints.length > 0) throw new Error(complaints.join('\n'));

  const groups = [...groupByTest(chosen).values()];
  const rows: Sabotaged[] = [];
  let saved = Promise.resolve();
  const record = (row: Sabotaged): Promise<void> => {
    rows.push(row);
    saved = saved.then(() => writeResults(guards, rows));
    return saved;
  };
  await Promise.all(Array.from({ length: Math.min(workers, groups.length) }, () => drain(groups, record)));
  await writeGenerated(await sabotagePages(guards, await readResults()));
  const caught = rows.filter(({ result }) => result === 'failed').length;
  console.log(`${caught} of ${chosen.length} caught`);
  return caught === chosen.length;
}

const matches = ({ name, findings = [], test }: Guard, text: string): boolean =>
  name.includes(text) || findings.includes(text) || test.file.includes(text);

const groupByTest = (chosen: readonly Guard[]): Map<string, Guard[]> =>
  Map.groupBy(chosen, ({ test }) => `${test.file}: ${test.name}`);

/** Tries groups of guards that share a test, in a copy of the checkout, until none is left. */
async function drain(groups: Guard[][], record: (row: Sabotaged) => Promise<void>): Promise<void> {
  const scratch = await makeScratch(repository);
  try {
    for (let group = groups.shift(); group; group = groups.shift()) await tryGroup(scratch, group, record);
  } finally {
    await scratch.remove();
  }
}

/** A test that fails with every guard in place proves nothing, so it runs once with them. */
async function tryGroup(
  scratch: Scratch,
  group: readonly Guard[],
  record: (row: Sabotaged) => Promise<void>,
): Promise<void> {
  const { file, name } = group[0]!.test;
  const before = await runTest(scratch.root, file, name);
  if (before !== 'passed') {
    console.log(`BROKEN  with every guard in place, this test ${before}: ${file}: ${name}`);
    return;
  }
  for (const guard of group) {
    const result = await scratch.without(guard, () => runTest(scratch.root, file, name));
    console.log(`${result === 'failed' ? 'caught ' : 'MISSED '} ${guard.name} (${file}: ${name}: ${result})`);
    await record({ guard: guard.name, hash: hashOf(guard), result });
  }
}

const options = new Command('npm run sabotage --')
  .description('Removes guards one by one, and requires their tests to fail.')
  .option('--only <text>', 'guards whose name, finding or test file contains it')
  .option('--missing', 'guards that no run has caught in their current form', false)
  .option('--workers <n>', 'copies of the checkout that run side by side', within(1, 64), 1)
  .allowExcessArguments(false)
  .parse()
  .opts<Options>();
const ok = await main(options);
process.exitCode = ok ? 0 : 1;
