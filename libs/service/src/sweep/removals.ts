import type { Logger } from 'pino';

/** Maximum of concurrent removals. */
const concurrency = 50;

/** Removes blobs and folders one by one: a failed removal does not stop the others. */
export class Removals {
  failed = 0;
  /** Why the first failed removal failed. */
  error: string | null = null;

  constructor(private readonly log: Logger) {}

  async each<T>(
    items: readonly T[],
    remove: (item: T) => Promise<void>,
  ): Promise<{ removed: T[]; failed: T[] }> {
    const removed: T[] = [];
    const failed: T[] = [];
    for (let i = 0; i < items.length; i += concurrency) {
      const some = items.slice(i, i + concurrency);
      const results = await Promise.allSettled(some.map(remove));
      results.forEach((result, at) => {
        if (result.status === 'fulfilled') removed.push(some[at]!);
        else failed.push(some[at]!);
        if (result.status === 'rejected') this.note(result.reason);
      });
    }
    return { removed, failed };
  }

  private note(reason: unknown): void {
    this.failed++;
    this.error ??= reason instanceof Error ? reason.message : String(reason);
    this.log.error({ err: reason }, 'stored bytes could not be removed; the removal is retried later');
  }
}
