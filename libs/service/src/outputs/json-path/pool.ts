import { MessageChannel } from 'node:worker_threads';
import { SpillwayError } from '@spillway/engine';
import { Semaphore } from 'async-mutex';
import { Piscina } from 'piscina';
import type * as work from './evaluate.js';
import type { PathResult, PathTask } from './evaluate.js';

/**
 * A path that takes longer is cancelled and its worker thread ended: regular expressions and `..` can take exponential
 * time.
 */
const timeoutMs = 5_000;
const maxHeapMb = 512;
const maxThreads = 4;

const filename = new URL(`./evaluate${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
  .href;

let pool: Piscina | undefined;

/** Separate threads: an expensive path never delays the token count of an append. */
const threads = (): Piscina =>
  (pool ??= new Piscina({
    filename,
    minThreads: 0,
    maxThreads,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  }));

/** Paths wait here and not in Piscina: when the threads of cancelled ones end, it starts none of those in its queue. */
const free = new Semaphore(maxThreads);

/**
 * Evaluates a path on a worker thread; the search slots bound how many wait for one. Its time counts from where it begins.
 * Throws `path_too_costly`.
 */
export const evaluateOnThread = (task: PathTask): Promise<PathResult> =>
  free.runExclusive(() => evaluate(task));

async function evaluate(task: PathTask): Promise<PathResult> {
  const limit = new AbortController();
  const name: keyof typeof work = 'evaluateTimed';
  const { port1: here, port2: begun } = new MessageChannel();
  let timer: NodeJS.Timeout | undefined;
  here.once('message', () => (timer = setTimeout(() => limit.abort(), timeoutMs)));
  try {
    const on = { name, signal: limit.signal, transferList: [begun] };
    return (await threads().run({ task, begun }, on)) as PathResult;
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    const why =
      `The path takes more than ${timeoutMs / 1_000} s or ${maxHeapMb} MB of memory to evaluate. ` +
      'Name the members instead of searching with ".." or regular expressions.';
    throw new SpillwayError('path_too_costly', why, [{ path: '/path', message: 'is too costly' }], {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    here.close();
  }
}

/** Ended by its time or memory limit, or by a limit of the engine such as the stack. */
function isTooCostly(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError;
}
