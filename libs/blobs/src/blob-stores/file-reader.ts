import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FolderFiles } from './folder-files.js';

const pieceBytes = 65_536;

/** Bytes start..end of an open file, end excluded; closes the file. */
export class FileReader extends Readable {
  private at: number;
  private readonly end: number;

  constructor(
    private readonly files: FolderFiles,
    private readonly file: FileHandle,
    { start, end }: { start: number; end: number },
  ) {
    super({ highWaterMark: pieceBytes });
    this.at = start;
    this.end = end;
  }

  override _read(): void {
    const size = Math.min(pieceBytes, this.end - this.at);
    if (size <= 0) {
      this.push(null);
      return;
    }
    const piece = Buffer.allocUnsafe(size);
    this.files
      .call(() => this.file.read(piece, 0, size, this.at))
      .then(
        ({ bytesRead }) => {
          this.at += bytesRead;
          this.push(bytesRead === 0 ? null : piece.subarray(0, bytesRead));
        },
        (error: Error) => this.destroy(error),
      );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const closed = error ? this.files.abandon(this.file, error) : this.files.close(this.file);
    closed.then(
      () => done(error),
      (failed: Error) => done(failed),
    );
  }
}
