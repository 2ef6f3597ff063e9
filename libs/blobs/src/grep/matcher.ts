import { SpillwayError } from '@spillway/engine';
import { Worker } from 'node:worker_threads';
import type { MatchAnswer, MatchQuestion, Ready } from './match-worker.js';

/** In tests the sources run directly, compiled elsewhere. */
const workerUrl = new URL(
  `./match-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
const idleMs = 10_000;
/** A thread starts in a tenth of a second where a core is free. */
const startMs = 10_000;
/** Memory limit of the worker thread. */
const resourceLimits = { maxOldGenerationSizeMb: 64 };

/** The time or memory limit was reached, or nobody waits for the answer; the worker thread was ended. */
export class MatchEnded extends Error {}

/**
 * A worker thread that serves one search at a time, so that a search blocks no request and can be ended without
 * affecting others.
 */
class Matcher {
  private readonly worker = new Worker(workerUrl, { resourceLimits });
  private settle: { resolve: (answer: MatchAnswer) => void; reject: (error: Error) => void } | undefined;
  private readonly started: Promise<void>;
  private idle: NodeJS.Timeout | undefined;
  isEnded = false;

  constructor() {
    this.worker.unref();
    this.started = new Promise((resolve) => {
      this.worker.on('message', (message: MatchAnswer | Ready) =>
        message === 'ready' ? resolve() : this.settle?.resolve(message),
      );
    });
    this.worker.on('error', (cause: Error) => this.end(cause));
  }

  /**
   * Throws `MatchEnded` after `withinMs`, and when `signal` is aborted. The start of the thread does not count: on a busy
   * machine a good pattern would be refused for it. Throws `overloaded` when the thread does not start.
   */
  async ask(question: MatchQuestion, withinMs: number, signal?: AbortSignal): Promise<MatchAnswer> {
    if (signal?.aborted) this.end();
    if (this.isEnded) throw new MatchEnded();
    let timer = setTimeout(
      () => this.end(new SpillwayError('overloaded', 'The server is overloaded. Retry shortly.')),
      startMs,
    );
    const giveUp = () => this.end();
    signal?.addEventListener('abort', giveUp);
    try {
      return await new Promise<MatchAnswer>((resolve, reject) => {
        this.settle = { resolve, reject };
        void this.started.then(() => {
          clearTimeout(timer);
          if (this.isEnded) return;
          timer = setTimeout(giveUp, withinMs);
          this.worker.postMessage(question);
        });
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.settle = undefined;
    }
  }

  end(cause?: Error): void {
    this.isEnded = true;
    const isOurs = cause instanceof SpillwayError;
    this.settle?.reject(isOurs ? cause : new MatchEnded('The search was ended.', { cause }));
    void this.worker.terminate();
  }

  restUntil(forgotten: () => void): void {
    this.idle = setTimeout(() => {
      this.end();
      forgotten();
    }, idleMs).unref();
  }

  wake(): void {
    clearTimeout(this.idle);
  }
}

/** Idle threads: starting one takes longer than most searches. */
const resting = new Set<Matcher>();

/** Runs a search with a matcher of the pool. */
export async function withMatcher<T>(search: (matcher: Matcher) => Promise<T>): Promise<T> {
  const [rested] = resting;
  const matcher = rested ?? new Matcher();
  resting.delete(matcher);
  matcher.wake();
  try {
    return await search(matcher);
  } finally {
    if (!matcher.isEnded) {
      resting.add(matcher);
      matcher.restUntil(() => resting.delete(matcher));
    }
  }
}

export type { Matcher };
