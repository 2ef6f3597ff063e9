import { readFile } from 'node:fs/promises';
import { freshSeed, simulate } from '@spillway/testing/simulation';
import { expect, test } from 'vitest';

const stepsOfASeed = 4_000;
const steps = Number(process.env.SIM_STEPS ?? 16_000);
/**
 * The same each time, so that a landing depends on the change alone; one whose lives notice each guard that the
 * sabotage run removes. SEED=fresh takes a new one.
 */
const seed = process.env.SEED === 'fresh' ? freshSeed() : BigInt(process.env.SEED ?? 20_261_127);

/** Seeds that found something, with what they found. */
const seeds = (await readFile(new URL('seeds.txt', import.meta.url), 'utf8'))
  .split('\n')
  .filter((line) => /^\d/.test(line))
  .map((line) => ({ seed: BigInt(line.split(' ')[0]!), found: line.replace(/^\d+ /, '') }));

test('whatever fails, and in whatever order things happen, threads keep their promises and come to rest', async () => {
  console.info(`simulation: SEED=${seed} npm run sim -- --steps ${steps}`);
  const { compactions, outcomes } = await simulate(seed, steps, 2);
  expect(compactions).toBeGreaterThan(steps / 1_000);
  expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['compacted', 'failed', 'lost']));
});

test.each(seeds)('seed $seed keeps them too: $found', { tags: 'long' }, async ({ seed }) => {
  const { compactions } = await simulate(seed, stepsOfASeed);
  expect(compactions).toBeGreaterThan(0);
});

test('a seed gives the same run again, whatever else the machine does', { tags: 'long' }, async () => {
  const [a, b] = await Promise.all([simulate(7n, stepsOfASeed), simulate(7n, stepsOfASeed)]);
  expect(a).toEqual(b);
  expect((await simulate(8n, stepsOfASeed)).trace).not.toBe(a.trace);
});
