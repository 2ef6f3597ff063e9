import '@spillway/node-version/require';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { runCommand } from '../run-command.js';
import { repository } from '../repository.js';
import { within } from '../within.js';
import { reportOf, type Ended } from './report.js';
import { stepsOf } from './steps.js';

/** Beside the results of tests, which git leaves out as well. */
const reportPath = '.test-results/nightly.md';

/**
 * `npm run nightly`: runs the long checks one after the other and writes one report,
 * anew after each of them. A step that fails stops none of the others.
 */
async function main(): Promise<boolean> {
  const { seed, only } = new Command('npm run nightly --')
    .description('Runs the long checks one after the other, and writes one report.')
    .option(
      '--seed <n>',
      'of everything random, to repeat a run',
      within(0, 2 ** 31 - 1),
      Math.floor(Math.random() * 2 ** 31),
    )
    .option('--only <text>', 'steps with this text in their name', '')
    .allowExcessArguments(false)
    .parse()
    .opts<{ seed: number; only: string }>();
  const steps = stepsOf(seed).filter(({ name }) => name.includes(only));
  if (steps.length === 0) throw new Error(`No step has "${only}" in its name`);
  const { output } = await runCommand(['git', 'rev-parse', '--short', 'HEAD']);
  const about = { commit: output.trim(), seed, startedAt: new Date() };
  const ended: Ended[] = [];
  for (const step of steps) {
    console.log(`${step.name} ...`);
    const started = performance.now();
    const result = await runCommand(step.command, step.env);
    ended.push({ step, ...result, seconds: (performance.now() - started) / 1000 });
    console.log(`${step.name}: ${result.ok ? 'passed' : 'FAILED'}`);
    await mkdir(dirname(join(repository, reportPath)), { recursive: true });
    await writeFile(join(repository, reportPath), reportOf(ended, about));
  }
  console.log(`${reportPath} has the report. Seed ${seed}.`);
  return ended.every(({ ok }) => ok);
}

process.exit((await main()) ? 0 : 1);
