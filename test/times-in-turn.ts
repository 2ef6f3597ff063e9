/**
 * Runs several things one after the other, again and again, and returns the median milliseconds of each. What else the
 * machine does slows all of them alike, so the medians can be compared on a busy machine, too.
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
  return times.map((of) => of.sort((a, b) => a - b)[of.length >> 1]!);
}
