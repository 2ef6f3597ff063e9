import '@spillway/node-version/require';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { freshSeed } from './chance.js';
import { simulate } from './in-threads.js';

/** `npm run sim`: a number of steps from one seed. */
const { values } = parseArgs({
  options: { steps: { type: 'string', default: '200000' }, seed: { type: 'string' } },
});
const seed = BigInt(values.seed ?? process.env.SEED ?? freshSeed());
const steps = Number(values.steps);
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
