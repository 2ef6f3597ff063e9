import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { BackupLine, EndLine } from './backup-line.js';

/** The reader of a backup went away. */
export class Abandoned extends Error {}

/** Writes the lines of a backup, no faster than they are read, and its digest as the last one. */
export class LineWriter {
  private readonly hash = createHash('sha256');
  private lines = 0;

  constructor(private readonly out: Writable) {}

  line(line: Exclude<BackupLine, EndLine>): Promise<void> {
    return this.json(JSON.stringify(line));
  }

  /** A line whose JSON is there already. */
  async json(text: string): Promise<void> {
    const bytes = Buffer.from(`${text}\n`, 'utf8');
    this.hash.update(bytes);
    this.lines++;
    await this.write(bytes);
  }

  async end(contextSha256: string | null): Promise<void> {
    const line: EndLine = {
      type: 'end',
      lines: this.lines,
      sha256: this.hash.digest('hex'),
      context_sha256: contextSha256,
    };
    await this.write(Buffer.from(`${JSON.stringify(line)}\n`, 'utf8'));
    this.out.end();
  }

  private async write(bytes: Buffer): Promise<void> {
    if (this.out.destroyed) throw new Abandoned('The reader of the backup closed its connection.');
    if (this.out.write(bytes)) return;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        this.out.off('drain', drained).off('close', closed);
        settle();
      };
      const drained = end(resolve);
      const closed = end(() => reject(new Abandoned('The reader of the backup closed its connection.')));
      this.out.once('drain', drained).once('close', closed);
    });
  }
}
