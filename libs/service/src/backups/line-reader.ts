import { createHash, type Hash } from 'node:crypto';
import { FairShare } from '../operations/fair-share.js';
import { backupLineOf, refuseBackup, type BackupLine, type EndLine } from './backup-line.js';
import { refuseComplex } from './complexity.js';

/** A message of 8 MiB as JSON in JSON is shorter, and so are media of that size in base64. */
const maxLineBytes = 64 * 1024 * 1024;
/** Shorter lines are read at once. */
const smallBytes = 1024 * 1024;
/** Bytes of larger lines that this process works on at a time: a line is in memory several times until it is stored. */
const room = new FairShare(maxLineBytes);
const newline = 10;

/** A line and its bytes, with the line break. */
export interface ReadLine {
  line: BackupLine;
  bytes: Buffer;
}

/** The lines of a backup as they arrive, one ahead. Checks at the last one that nothing is missing or altered. */
export class LineReader {
  private readonly source: AsyncIterator<Buffer>;
  private readonly hash: Hash = createHash('sha256');
  private lines = 0;
  private ahead: ReadLine | null = null;
  /** Releases what the line before took. */
  private release = (): void => undefined;

  constructor(
    private readonly projectId: string,
    source: AsyncIterable<Buffer>,
  ) {
    this.source = splitLines(source);
  }

  /** The next line, without taking it. Throws `invalid_request` when the backup ends before its last line. */
  async peek(): Promise<ReadLine> {
    if (this.ahead) return this.ahead;
    // Not held while a line arrives: a slow sender would keep others waiting.
    this.release();
    const next = await this.source.next();
    if (next.done)
      return refuseBackup(`it ends after line ${this.lines}, before its last one. It was cut off.`);
    this.release = await roomForLine(this.projectId, next.value.length);
    refuseComplex(next.value, `line ${this.lines + 1}`);
    this.ahead = { line: backupLineOf(next.value, this.lines + 1), bytes: next.value };
    return this.ahead;
  }

  async take(): Promise<ReadLine> {
    const read = await this.peek();
    this.ahead = null;
    this.lines++;
    if (read.line.type !== 'end') this.hash.update(read.bytes);
    return read;
  }

  /** To be called when no line is needed any more. */
  close(): void {
    this.release();
  }

  /** Takes the last line. Throws `invalid_request` when the lines before it are not those that were written. */
  async takeEnd(): Promise<EndLine> {
    const { line } = await this.peek();
    if (line.type !== 'end')
      return refuseBackup(`line ${this.lines + 1} is of type ${line.type}, which has no place there.`);
    const before = this.lines;
    await this.take();
    const sha256 = this.hash.digest('hex');
    if (line.lines !== before || line.sha256 !== sha256)
      refuseBackup('its digest is not that of its lines. It was altered or damaged.');
    const { done } = await this.source.next();
    if (!done) refuseBackup('there is more after its last line.');
    return line;
  }
}

/**
 * Waits until there is room for a line of that length, or for the rows that were such lines, in turns with other
 * projects. Returns the function that releases it.
 */
export const roomForLine = async (projectId: string, bytes: number): Promise<() => void> =>
  bytes <= smallBytes ? () => undefined : room.take(projectId, bytes);

/** Lines with their line breaks. */
export async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length;) {
      const at = chunk.indexOf(newline, start);
      const end = at < 0 ? chunk.length : at + 1;
      parts.push(chunk.subarray(start, end));
      size += end - start;
      start = end;
      if (size > maxLineBytes) refuseBackup(`a line has more than ${maxLineBytes} bytes.`);
      if (at < 0) continue;
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(parts);
}
