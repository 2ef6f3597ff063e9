import { setImmediate } from 'node:timers/promises';
import { previewEnds, type CountTokens, type Preview } from '@spillway/engine';
import { Piscina } from 'piscina';
import type { Logger } from 'pino';
import { factsOf, type TextFacts } from './text-facts.js';
import type * as work from './worker.js';

/** Shorter texts are processed at once: sending them to a thread takes longer. */
export const inlineCharacters = 32_768;
/** Time limit of a text; beyond it the preview is made of the text's ends. */
const timeoutMs = 20_000;

/** In tests the sources run directly, compiled elsewhere. */
const filename = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href;

let pool: Piscina | undefined;

/**
 * The worker threads of this process that count, hash and preview large texts. Started on first use, ended when idle.
 */
const threads = (): Piscina =>
  (pool ??= new Piscina({
    filename,
    minThreads: 0,
    maxThreads: 2,
    maxQueue: 64,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  }));

type Work = typeof work;
type Task<K extends keyof Work> = Work[K] extends (task: infer T) => unknown ? T : never;
type Result<K extends keyof Work> = Work[K] extends (task: never) => infer R ? Awaited<R> : never;

/**
 * Runs a task on a thread. Throws when it takes too long and when too many wait; a thread that takes too long is ended.
 */
export const runOnThread = <K extends keyof Work>(
  name: K,
  task: Task<K>,
  withinMs = timeoutMs,
): Promise<Result<K>> =>
  threads().run(task, { name, signal: AbortSignal.timeout(withinMs) }) as Promise<Result<K>>;

/**
 * The facts of a large text. When the thread fails or takes too long, they are read here, which holds up other requests:
 * the log says so.
 */
export async function factsOnThread(text: string, log: Logger, withinMs?: number): Promise<TextFacts> {
  try {
    return await runOnThread('readFacts', { text }, withinMs);
  } catch (error) {
    log.warn({ err: error, characters: text.length }, 'an output is read on the event loop');
    return factsOf(text);
  }
}

/**
 * A preview of a large text. When it fails or takes too long, the append does not fail: the first and last lines are
 * shown, and the log has the reason.
 */
export async function previewOnThread(
  task: Task<'makePreview'> & { lines: number },
  count: CountTokens,
  log: Logger,
  withinMs?: number,
): Promise<Preview> {
  const { lines, ...rest } = task;
  try {
    return await runOnThread('makePreview', rest, withinMs);
  } catch (error) {
    log.warn(
      { err: error, characters: task.text.length },
      'a preview failed; the ends of the output are shown',
    );
    await setImmediate();
    return previewEnds(task.text, lines, task.room, count);
  }
}
