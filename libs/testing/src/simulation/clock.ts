interface Timer {
  owner: object;
  at: number;
  everyMs: number;
  fire: () => void;
}

/** Time as the simulation has it: it stands still until it is moved, and timers fire when it is. */
export class Clock {
  /** ms. */
  now = 1_000_000_000_000;
  private readonly timers = new Set<Timer>();
  /** On whose behalf code runs right now. */
  owner: object = this;

  every(ms: number, fire: () => void, thenEveryMs = ms): Timer {
    const timer = { owner: this.owner, at: this.now + ms, everyMs: thenEveryMs, fire };
    this.timers.add(timer);
    return timer;
  }

  /** Fires once. */
  after(ms: number, fire: () => void): Timer {
    return this.every(ms, fire, Infinity);
  }

  cancel(timer: Timer | undefined): void {
    if (timer) this.timers.delete(timer);
  }

  cancelAllOf(owner: object): void {
    for (const timer of this.timers) if (timer.owner === owner) this.timers.delete(timer);
  }

  /** The next timer's time, of owners that run. */
  next(runs: (owner: object) => boolean): number {
    let next = Infinity;
    for (const timer of this.timers) if (runs(timer.owner)) next = Math.min(next, timer.at);
    return next;
  }

  /** Moves on and fires what is due, once however late it is, as Node does. */
  advance(ms: number, runs: (owner: object) => boolean): void {
    this.now += ms;
    const due = [...this.timers].filter((timer) => timer.at <= this.now && runs(timer.owner));
    for (const timer of due.sort((a, b) => a.at - b.at)) {
      timer.at = this.now + timer.everyMs;
      if (timer.at === Infinity) this.timers.delete(timer);
      this.owner = timer.owner;
      timer.fire();
    }
  }
}
