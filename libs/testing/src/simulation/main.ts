import { parseArgs } from 'node:util';
import { freshSeed } from './chance.js';
import { runLives } from './run-lives.js';
import { realNow } from './take-over.js';

/** `npm run sim`: as many steps as asked for, from one seed. */
const { values } = parseArgs({
  options: { steps: { type: 'string', default: '200000' }, seed: { type: 'string' } },
});
const seed = BigInt(values.seed ?? process.env.SEED ?? freshSeed());
const started = realNow();
console.log(`SEED=${seed} npm run sim -- --steps ${values.steps}`);
try {
  const report = await runLives(seed, Number(values.steps));
  const seconds = (realNow() - started) / 1000;
  const { lives, steps, messages, compactions, parked, trace } = report;
  console.log(
    `${steps} steps in ${lives} lives: ${messages} messages, ${compactions} compactions, ${parked} threads parked; ` +
      `${seconds.toFixed(1)} s, ${Math.round(steps / seconds)} steps/s; trace ${trace}`,
  );
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
