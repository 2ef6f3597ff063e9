import { SpillwayError } from '@spillway/engine';
import { Piscina } from 'piscina';
import type { PathResult, PathTask } from './evaluate.js';

/**
 * A path that takes longer is cancelled and its worker thread ended: regular expressions and `..` can take exponential
 * time.
 */
const timeoutMs = 5_000;
const maxHeapMb = 512;

const filename = new URL(`./evaluate${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
  .href;

let pool: Piscina | undefined;

/** Separate threads: an expensive path never delays the token count of an append. */
const threads = (): Piscina =>
  (pool ??= new Piscina({
    filename,
    minThreads: 0,
    maxThreads: 4,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  }));

/** Evaluates a path on a worker thread; the search slots bound how many wait. Throws `path_too_costly`. */
export async function evaluateOnThread(task: PathTask): Promise<PathResult> {
  try {
    const name = 'evaluatePath';
    return (await threads().run(task, { name, signal: AbortSignal.timeout(timeoutMs) })) as PathResult;
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    const why =
      `The path takes more than ${timeoutMs / 1_000} s or ${maxHeapMb} MB of memory to evaluate. ` +
      'Name the members instead of searching with ".." or regular expressions.';
    throw new SpillwayError('path_too_costly', why, [{ path: '/path', message: 'is too costly' }], {
      cause: error,
    });
  }
}

/** Ended by its time or memory limit, or by a limit of the engine such as the stack. */
function isTooCostly(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError;
}
