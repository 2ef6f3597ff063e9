const newline = 10;

/** Lines with their line breaks, byte for byte. The last one may have none. */
export async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let start = 0; start < bytes.length;) {
      const at = bytes.indexOf(newline, start);
      const end = at < 0 ? bytes.length : at + 1;
      parts.push(bytes.subarray(start, end));
      start = end;
      if (at < 0) continue;
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      parts = [];
    }
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
