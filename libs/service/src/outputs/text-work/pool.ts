import { setImmediate } from 'node:timers/promises';
import { previewEnds, type CountTokens, type Preview } from '@spillway/engine';
import { currentScope } from '@spillway/store';
import { Piscina } from 'piscina';
import type { Logger } from 'pino';
import { FairShare } from '../../operations/fair-share.js';
import { factsOf, type TextFacts } from './text-facts.js';
import type * as work from './worker.js';

/** Shorter texts are processed at once: sending them to a thread takes longer. */
export const inlineCharacters = 32_768;
/** Time limit of a text once it has a thread; beyond it the preview is made of the text's ends. */
const timeoutMs = 20_000;
const maxThreads = 2;
/** Maximum of texts of one project that wait. */
const maxWaiting = 64;

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
    maxThreads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  }));

type Work = typeof work;
type Task<K extends keyof Work> = Work[K] extends (task: infer T) => unknown ? T : never;
type Result<K extends keyof Work> = Work[K] extends (task: never) => infer R ? Awaited<R> : never;

/** Tasks wait here and not in Piscina: when the threads of cancelled ones end, it starts none of those in its queue. */
const free = new FairShare(maxThreads);

/**
 * Runs a task on a thread, in turns with those of other projects. Throws when it takes too long, which ends the thread,
 * and when too many of its project wait. Its time counts from where it has a thread, so that many texts at once are not
 * all given up together.
 */
export async function runOnThread<K extends keyof Work>(
  name: K,
  task: Task<K>,
  withinMs = timeoutMs,
): Promise<Result<K>> {
  const { project } = currentScope();
  if (free.waitingOf(project) >= maxWaiting)
    throw new Error('Too many large texts of the project wait for a thread.');
  const release = await free.take(project, 1);
  try {
    return (await threads().run(task, { name, signal: AbortSignal.timeout(withinMs) })) as Result<K>;
  } finally {
    release();
  }
}

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
