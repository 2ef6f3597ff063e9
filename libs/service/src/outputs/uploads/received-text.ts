import { createHash } from 'node:crypto';
import { ChunkHasher, LineIndexer } from '@spillway/blobs';
import type { CounterChoice } from '../text-work/worker.js';
import { TextEnds } from './text-ends.js';
import { TokenSamples } from './token-samples.js';

/** Computes the columns of an output from bytes that arrive in pieces, without keeping them. */
export class ReceivedText {
  private bytes = 0;
  private readonly hash = createHash('sha256');
  private readonly chunks = new ChunkHasher();
  private readonly lines = new LineIndexer();
  private readonly text = new TextEnds();
  private readonly samples: TokenSamples;

  constructor(counter: CounterChoice) {
    this.samples = new TokenSamples(counter);
  }

  /** Passes the bytes of a source through and measures them. */
  async *passOn(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.bytes += chunk.length;
      this.hash.update(chunk);
      this.chunks.add(chunk);
      this.lines.add(chunk);
      this.text.add(chunk);
      await this.samples.add(chunk);
      yield chunk;
    }
  }

  get size(): number {
    return this.bytes;
  }

  ends(): { bytes: Buffer; isWhole: boolean } {
    return this.text.ends();
  }

  estimatedTokens(): Promise<number> {
    return this.samples.estimate();
  }

  /** The result after the last byte. May be called once. */
  facts() {
    return {
      ...this.lines.index(),
      sha256: this.hash.digest('hex'),
      chunkHashes: this.chunks.hashes(),
    };
  }
}
