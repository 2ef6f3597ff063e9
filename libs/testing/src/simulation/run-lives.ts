import { live, type LifeReport } from './life.js';

/** Steps of one life: short enough to read, long enough for a dozen generations. */
const stepsOfALife = 4_000;

export interface LivesReport extends LifeReport {
  lives: number;
}

/**
 * Runs one life per seed until all steps are done. With `share`, runs only every nth life, so that several threads
 * divide them.
 */
export async function runLives(
  seed: bigint,
  steps: number,
  share: { first: number; every: number } = { first: 0, every: 1 },
): Promise<LivesReport> {
  const reports: LifeReport[] = [];
  for (let life = share.first; life * stepsOfALife < steps; life += share.every) {
    const own = BigInt.asUintN(64, seed + BigInt(life));
    const length = Math.min(steps - life * stepsOfALife, stepsOfALife);
    reports.push(
      await live(own, length).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`${message}\nSEED=${own} npm run sim -- --steps ${length}`, { cause: error });
      }),
    );
  }
  return reports.map((report) => ({ ...report, lives: 1 })).reduce(addReports);
}

/** The sum of two reports. The trace does not depend on the order of lives. */
export function addReports(a: LivesReport, b: LivesReport): LivesReport {
  const outcomes = { ...a.outcomes };
  for (const [outcome, count] of Object.entries(b.outcomes))
    outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
  return {
    lives: a.lives + b.lives,
    steps: a.steps + b.steps,
    trace: (a.trace + b.trace) | 0,
    compactions: a.compactions + b.compactions,
    messages: a.messages + b.messages,
    outcomes,
  };
}
