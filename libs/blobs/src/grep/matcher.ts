import { Worker } from 'node:worker_threads';
import { SpillwayError } from '@spillway/engine';
import type { MatchAnswer, MatchQuestion } from './match-worker.js';

/** Sources run as they are in tests, compiled elsewhere. */
const workerUrl = new URL(
  `./match-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
const idleMs = 10_000;
/** A pattern that needs more than this is not worth a process. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** The time was up; the thread that worked on it is gone. */
export class MatchTimeout extends Error {}

/**
 * Regular expressions on a thread of their own, so that none of them can hold up a request, and one that takes too
 * long can be ended. One thread a process, started when first needed, gone after some idle seconds.
 */
class Matcher {
  private worker: Worker | undefined;
  private readonly waiting = new Map<
    number,
    { resolve: (answer: MatchAnswer) => void; reject: (error: Error) => void }
  >();
  private next = 1;
  private idle: NodeJS.Timeout | undefined;

  /** Places of the lines that match. Throws `unsupported_regex`, and `MatchTimeout` after `withinMs`. */
  async match(question: Omit<MatchQuestion, 'id'>, withinMs: number): Promise<number[]> {
    const id = this.next++;
    clearTimeout(this.idle);
    const answer = await new Promise<MatchAnswer>((resolve, reject) => {
      const timer = setTimeout(() => this.end(new MatchTimeout()), withinMs);
      const done =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          then(value);
        };
      this.waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      this.start().postMessage({ ...question, id });
    });
    this.restLater();
    if ('refused' in answer)
      throw new SpillwayError('unsupported_regex', `The pattern is not RE2 syntax: ${answer.refused}`);
    return answer.lines;
  }

  private start(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(workerUrl, { resourceLimits });
    worker.unref();
    worker.on('message', (answer: MatchAnswer) => {
      const asked = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      asked?.resolve(answer);
    });
    worker.on('error', (error: Error) => {
      if (this.worker === worker) this.end(error);
    });
    this.worker = worker;
    return worker;
  }

  /** Everyone who waits is told; the next question starts a new thread. */
  private end(error: Error): void {
    const { worker } = this;
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    void worker?.terminate();
  }

  private restLater(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      if (this.waiting.size === 0) this.end(new Error('idle'));
    }, idleMs).unref();
  }
}

export const matcher = new Matcher();
