import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A test file, as the order needs it. */
interface Weighed<T> {
  file: T;
  /** How long it took last time, in any unit. */
  duration: number;
  /** It keeps a whole core busy, as a browser does. */
  isBusy: boolean;
}

/**
 * Busy files spread evenly over a run, by duration: at each place the kind of which the smaller share has begun. Both
 * kinds keep their own order.
 */
export function spreadBusy<T>(files: readonly Weighed<T>[]): T[] {
  const kinds = [true, false].map((isBusy) => {
    const queue = files.filter((one) => one.isBusy === isBusy);
    const total = queue.reduce((sum, { duration }) => sum + duration, 0);
    return { queue, total, begun: 0 };
  });
  return files.map(() => {
    const next = kinds
      .filter(({ queue }) => queue.length > 0)
      .reduce((a, b) => (b.begun / b.total < a.begun / a.total ? b : a));
    const { file, duration } = next.queue.shift()!;
    next.begun += duration;
    return file;
  });
}

/**
 * Vitest begins with the files that took longest. Those of the console are among them, and six browsers at once on two
 * cores make a page take twenty seconds. Spread out, about two of them run beside files that wait.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // A worker takes the next file only if that is of the same project.
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...projects.values()].flatMap((ofProject) =>
      spreadBusy(
        ofProject.map((file) => ({
          file,
          // A file that is new counts as a short one.
          duration: this.ctx.cache.getTestSpecificationResult(file)?.duration || 1,
          isBusy: file.moduleId.includes('/test/console/'),
        })),
      ),
    );
  }
}
