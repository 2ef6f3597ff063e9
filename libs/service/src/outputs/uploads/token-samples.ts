import { runOnThread } from '../text-work/pool.js';
import type { CounterChoice } from '../text-work/worker.js';

/** One sample for each of these bytes. */
const everyBytes = 1024 * 1024;
/** What a column of the row holds: a byte that is no UTF-8 may take several tokens. */
const maxTokens = 2_147_483_647;
/** Tokens of a byte when no sample could be counted. */
const fallbackRatio = 0.25;

/**
 * Estimates the tokens of a large text while it arrives: one piece of each MiB is counted on a thread. The next piece
 * waits for the one before, so an upload never has more than one task.
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

  /** Tokens of all bytes so far, about. */
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
      // The threads are busy: the other samples stand for this one.
    }
  }
}
