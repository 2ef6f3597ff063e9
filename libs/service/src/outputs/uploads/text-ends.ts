/** Bytes kept of each end. Both together are as much as the largest result that a message can hold. */
const endBytes = 4 * 1024 * 1024;

/** Keeps the start and the end of bytes that come in pieces: all that a preview of a large output is made of. */
export class TextEnds {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  /** The newest bytes after the head, written round and round. */
  private tail: Buffer | null = null;
  private tailWritten = 0;

  constructor(private readonly max = endBytes) {}

  add(chunk: Buffer): void {
    const forHead = chunk.subarray(0, this.max - this.headBytes);
    if (forHead.length > 0) {
      // A copy: the chunk may be a piece of a much larger buffer.
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
