/** Bytes kept of each end. Together they are as large as the largest result of a message. */
const endBytes = 4 * 1024 * 1024;

/** Keeps the start and the end of bytes that arrive in pieces, which is what a preview of a large output needs. */
export class TextEnds {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  /** A ring buffer of the newest bytes after the head. */
  private tail: Buffer | null = null;
  private tailWritten = 0;

  constructor(private readonly max = endBytes) {}

  add(chunk: Buffer): void {
    const forHead = chunk.subarray(0, this.max - this.headBytes);
    if (forHead.length > 0) {
      // A copy: the chunk may be a slice of a much larger buffer.
      this.head.push(Buffer.from(forHead));
      this.headBytes += forHead.length;
    }
    if (forHead.length < chunk.length) this.addToTail(chunk.subarray(forHead.length));
  }

  /** Both ends in one buffer, and whether nothing is missing between them. */
  ends(): { bytes: Buffer; isWhole: boolean } {
    const { tail, tailWritten, max } = this;
    if (tail === null) return { bytes: Buffer.concat(this.head), isWhole: true };
    if (tailWritten <= max)
      return { bytes: Buffer.concat([...this.head, tail.subarray(0, tailWritten)]), isWhole: true };
    const at = tailWritten % max;
    return { bytes: Buffer.concat([...this.head, tail.subarray(at), tail.subarray(0, at)]), isWhole: false };
  }

  private addToTail(bytes: Buffer): void {
    this.tail ??= Buffer.allocUnsafe(this.max);
    this.tailWritten += Math.max(0, bytes.length - this.max);
    for (let rest = bytes.subarray(Math.max(0, bytes.length - this.max)); rest.length > 0;) {
      const at = this.tailWritten % this.max;
      const copied = rest.copy(this.tail, at);
      this.tailWritten += copied;
      rest = rest.subarray(copied);
    }
  }
}
