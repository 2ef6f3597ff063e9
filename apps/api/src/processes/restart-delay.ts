const firstMs = 100;
const maxMs = 30_000;
/** A process that ran this long before it ended is started again with the first delay. */
const steadyMs = 60_000;

/** How long to wait before a process is started again: doubles with each one that ended soon after its start. */
export class RestartDelay {
  private nextMs = firstMs;

  /** The delay after a process that ran for `ranMs`. */
  after(ranMs: number): number {
    if (ranMs >= steadyMs) this.nextMs = firstMs;
    const delay = this.nextMs;
    this.nextMs = Math.min(delay * 2, maxMs);
    return delay;
  }
}
