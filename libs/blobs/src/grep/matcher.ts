import { SpillwayError } from '@spillway/engine';
import { Worker } from 'node:worker_threads';
import type { MatchAnswer, MatchQuestion, Ready } from './match-worker.js';

/** In tests the sources run directly, compiled elsewhere. */
const workerUrl = new URL(
  `./match-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
const idleMs = 10_000;
/** A thread starts in a tenth of a second where a core is free, and has most of a core then. */
const maxWaitMs = 10_000;
/** Memory limit of the worker thread. */
const resourceLimits = { maxOldGenerationSizeMb: 64 };

/** How long the thread may take for an answer: from when it was asked, or in time of a core. */
export type MatchLimit = { wallMs: number } | { cpuMs: number };

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
   * Throws `MatchEnded` at the limit, and when `signal` is aborted. The start of the thread does not count: on a busy
   * machine a good pattern would be refused for it. Throws `overloaded` when the thread does not start, or does not get
   * its `cpuMs`.
   */
  async ask(question: MatchQuestion, limit: MatchLimit, signal?: AbortSignal): Promise<MatchAnswer> {
    if (signal?.aborted) this.end();
    if (this.isEnded) throw new MatchEnded();
    const { promise, resolve, reject } = Promise.withResolvers<MatchAnswer>();
    this.settle = { resolve, reject };
    const giveUp = () => this.end();
    signal?.addEventListener('abort', giveUp);
    let stopLimit = this.limitWait();
    void this.started.then(() => {
      stopLimit();
      if (this.isEnded) return;
      stopLimit = 'wallMs' in limit ? this.limitWall(limit.wallMs) : this.limitCpu(limit.cpuMs);
      this.worker.postMessage(question);
    });
    try {
      return await promise;
    } finally {
      stopLimit();
      signal?.removeEventListener('abort', giveUp);
      this.settle = undefined;
    }
  }

  /** These end the thread at their limit, and return what stops them. */
  private limitWait(): () => void {
    const overloaded = new SpillwayError('overloaded', 'The server is overloaded. Retry shortly.');
    const timer = setTimeout(() => this.end(overloaded), maxWaitMs);
    return () => clearTimeout(timer);
  }

  private limitWall(ms: number): () => void {
    const timer = setTimeout(() => this.end(), ms);
    return () => clearTimeout(timer);
  }

  private limitCpu(ms: number): () => void {
    const stopWait = this.limitWait();
    const began = this.usedMs();
    let isStopped = false;
    let timer: NodeJS.Timeout;
    const look = async () => {
      const used = (await this.usedMs()) - (await began);
      if (isStopped) return;
      if (used >= ms) this.end();
      else lookIn(ms - used);
    };
    const lookIn = (left: number) => {
      timer = setTimeout(() => void look().catch((cause: Error) => this.end(cause)), Math.max(1, left));
    };
    lookIn(ms);
    began.catch((cause: Error) => this.end(cause));
    return () => {
      isStopped = true;
      clearTimeout(timer);
      stopWait();
    };
  }

  /** Returns how long the thread had a core so far. Node.js before 24.6 does not measure it: all time counts there. */
  private async usedMs(): Promise<number> {
    const worker: Pick<Partial<Worker>, 'cpuUsage'> = this.worker;
    const usage = await worker.cpuUsage?.();
    return usage ? (usage.user + usage.system) / 1_000 : performance.now();
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
