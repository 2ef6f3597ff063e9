/** Durations of one kind of call, in milliseconds. */
export class Latencies {
  readonly #ms: number[] = [];

  async time<T>(call: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await call();
    this.#ms.push(performance.now() - from);
    return result;
  }

  summary(): string {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
    return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length} calls)`;
  }
}
