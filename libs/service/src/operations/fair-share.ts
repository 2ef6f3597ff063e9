interface Waiting {
  amount: number;
  begin(release: () => void): void;
}

/**
 * Shares a limited amount (threads, bytes of memory) among projects: those that wait get it in turns, one request of each
 * project, so that a project with many requests delays another one by its running ones only. A large request is not
 * overtaken by smaller ones, which could go on for ever.
 */
export class FairShare {
  private free: number;
  /** By project, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly max: number) {
    this.free = max;
  }

  /** Requests of a project that wait. */
  waitingOf(project: string): number {
    return this.waiting.get(project)?.length ?? 0;
  }

  /**
   * Waits for an amount, of which more than there is counts as all of it. Resolves with the function that releases it;
   * calling it again does nothing.
   */
  take(project: string, amount: number): Promise<() => void> {
    return new Promise((resolve) => {
      const one: Waiting = { amount: Math.min(amount, this.max), begin: resolve };
      const queue = this.waiting.get(project);
      if (queue) queue.push(one);
      else this.waiting.set(project, [one]);
      this.beginNext();
    });
  }

  private beginNext(): void {
    for (;;) {
      const [turn] = this.waiting;
      if (!turn) return;
      const [project, [next, ...rest]] = turn;
      if (!next || next.amount > this.free) return;
      this.waiting.delete(project);
      if (rest.length > 0) this.waiting.set(project, rest);
      this.free -= next.amount;
      next.begin(this.releaseOf(next));
    }
  }

  private releaseOf({ amount }: Waiting): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.free += amount;
      this.beginNext();
    };
  }
}
