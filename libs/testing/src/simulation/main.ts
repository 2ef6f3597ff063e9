import '@spillway/node-version/require';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { freshSeed } from './chance.js';
import { simulate } from './in-threads.js';

function wholeNumber(text: string): bigint {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return BigInt(text);
}

/** `npm run sim`: a number of steps from one seed. */
const options = new Command('npm run sim --')
  .description('Runs steps of threads, faults and workers in memory, and checks every promise after each.')
  .option('--steps <n>', 'how many', (text) => Number(wholeNumber(text)), 200_000)
  .option('--seed <n>', 'to repeat a run (default: SEED, or a fresh one)', wholeNumber)
  .allowExcessArguments(false)
  .parse()
  .opts<{ steps: number; seed?: bigint }>();
const { steps } = options;
const seed = options.seed ?? BigInt(process.env.SEED ?? freshSeed());
const started = performance.now();
console.log(`SEED=${seed} npm run sim -- --steps ${steps}`);
try {
  const threads = steps > 20_000 ? Math.min(2, availableParallelism()) : 1;
  const report = await simulate(seed, steps, threads);
  const seconds = (performance.now() - started) / 1000;
  const outcomes = Object.entries(report.outcomes).sort(([a], [b]) => a.localeCompare(b));
  console.log(`attempts: ${outcomes.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`);
  console.log(
    `${report.steps} steps in ${report.lives} lives: ${report.messages} messages, ${report.compactions} ` +
      `generations; ${seconds.toFixed(1)} s, ${Math.round(report.steps / seconds)} steps/s; trace ${report.trace}`,
  );
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
