import { live, type LifeReport } from './life.js';

/** Steps of one life: short enough to be read, long enough for a dozen generations. */
const stepsOfALife = 4_000;

export interface LivesReport extends LifeReport {
  lives: number;
}

/** One seed after another, each a life of its own, until all steps are done. */
export async function runLives(seed: bigint, steps: number): Promise<LivesReport> {
  const total = { lives: 0, steps: 0, trace: 0, compactions: 0, messages: 0, parked: 0 };
  for (let left = steps; left > 0; left -= stepsOfALife) {
    const own = BigInt.asUintN(64, seed + BigInt(total.lives));
    const length = Math.min(left, stepsOfALife);
    const report = await live(own, length).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      throw new Error(`${said}\nSEED=${own} npm run sim -- --steps ${length}`, { cause: error });
    });
    total.lives++;
    total.steps += report.steps;
    total.trace = (Math.imul(total.trace, 31) + report.trace) | 0;
    total.compactions += report.compactions;
    total.messages += report.messages;
    total.parked += report.parked;
  }
  return total;
}
