/** A caller that waits for a connection within its project's share. */
interface Waiting {
  begin(): void;
}

/**
 * Limits how many connections of a pool one project holds, so that its requests cannot block all others. Callers beyond
 * the share wait in order, as long as the pool's own timeout.
 */
export class ProjectShare {
  private readonly held = new Map<string, number>();
  private readonly waiting = new Map<string, Set<Waiting>>();

  constructor(
    private readonly max: number,
    private readonly waitMs: number,
  ) {}

  /** Resolves when the project may take a connection. Rejects with the pool's error when it takes too long. */
  enter(project: string): Promise<void> {
    const held = this.held.get(project) ?? 0;
    if (held < this.max) {
      this.held.set(project, held + 1);
      return Promise.resolve();
    }
    const queue = this.waiting.get(project) ?? new Set<Waiting>();
    this.waiting.set(project, queue);
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        queue.delete(one);
        reject(new Error('timeout exceeded when trying to connect'));
      }, this.waitMs);
      queue.add(one);
    });
  }

  /** Callers of all projects that wait within their share. */
  waitingCount(): number {
    let count = 0;
    for (const queue of this.waiting.values()) count += queue.size;
    return count;
  }

  /** Ends what `enter` began: the next waiting caller proceeds. */
  leave(project: string): void {
    const queue = this.waiting.get(project);
    const [next] = queue ?? [];
    if (queue && next) {
      queue.delete(next);
      next.begin();
      return;
    }
    this.waiting.delete(project);
    const left = (this.held.get(project) ?? 1) - 1;
    if (left > 0) this.held.set(project, left);
    else this.held.delete(project);
  }
}
