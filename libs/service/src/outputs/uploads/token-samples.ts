import { runOnThread } from '../text-work/pool.js';
import type { CounterChoice } from '../text-work/worker.js';

/** One sample per this many bytes. */
const everyBytes = 1024 * 1024;
/** The maximum of the column: a byte that is not UTF-8 may take several tokens. */
const maxTokens = 2_147_483_647;
/** Tokens per byte when no sample could be counted. */
const fallbackRatio = 0.25;

/**
 * Estimates the tokens of a large text while it arrives: counts one piece per MiB on a worker thread. Each piece waits
 * for the previous one, so an upload has at most one task.
 */
export class TokenSamples {
  private nextAt = everyBytes;
  private bytes = 0;
  private sampledBytes = 0;
  private sampledTokens = 0;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly counter: CounterChoice) {}

  async add(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length;
    if (this.bytes < this.nextAt) return;
    this.nextAt = this.bytes + everyBytes;
    await this.running;
    this.running = this.count(chunk);
  }

  /** Estimated tokens of all bytes so far. */
  async estimate(): Promise<number> {
    await this.running;
    const ratio = this.sampledBytes === 0 ? fallbackRatio : this.sampledTokens / this.sampledBytes;
    return Math.min(maxTokens, Math.round(this.bytes * ratio));
  }

  private async count(chunk: Buffer): Promise<void> {
    try {
      const tokens = await runOnThread('countText', {
        text: chunk.toString('utf8'),
        counter: this.counter,
      });
      this.sampledTokens += tokens;
      this.sampledBytes += chunk.length;
    } catch {
      // The threads are busy: the other samples represent this one.
    }
  }
}
