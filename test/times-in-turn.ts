/**
 * Runs several things one after the other, again and again, and returns the milliseconds of the quickest run of each.
 * What else the machine does makes a run slower, and none quicker: so these can be compared on a busy machine, too.
 */
export async function timesInTurn(rounds: number, ...things: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = things.map((): number[] => []);
  // The first round warms connections and caches up.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, thing] of things.entries()) {
      const started = performance.now();
      await thing();
      if (round > 0) times[i]!.push(performance.now() - started);
    }
  }
  return times.map((of) => Math.min(...of));
}
