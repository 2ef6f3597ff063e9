import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FileEnd, FileHead, ThreadHead } from './backup-file.js';

/** Writes the lines of a backup file, compressed, and its digest as the last one. */
export class BackupWriter {
  private readonly gzip = createGzip();
  private readonly hash = createHash('sha256');
  private readonly written: Promise<void>;
  private threads = 0;
  bytes = 0;

  constructor(to: Writable) {
    this.written = pipeline(this.gzip, to);
    // It is awaited at the end; until then a failure shows as one of a write.
    this.written.catch(() => undefined);
  }

  async head(line: FileHead | ThreadHead): Promise<void> {
    if (line.type === 'thread') this.threads++;
    await this.raw(Buffer.from(`${JSON.stringify(line)}\n`));
  }

  async raw(line: Buffer): Promise<void> {
    this.hash.update(line);
    await this.write(line);
  }

  async end(): Promise<void> {
    const end: FileEnd = { type: 'end-of-backup', threads: this.threads, sha256: this.hash.digest('hex') };
    await this.write(Buffer.from(`${JSON.stringify(end)}\n`));
    this.gzip.end();
    await this.written;
  }

  /** Closes the file after a failure. */
  abandon(): void {
    this.gzip.destroy();
  }

  private async write(line: Buffer): Promise<void> {
    this.bytes += line.length;
    if (this.gzip.destroyed) await this.written;
    if (this.gzip.write(line)) return;
    await Promise.race([once(this.gzip, 'drain'), this.written]);
  }
}
