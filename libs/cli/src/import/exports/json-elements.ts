import { refuse } from '../sources/source-file.js';

/** An element of a JSON list, not parsed yet. */
export interface JsonElement {
  text: string;
  /** Where it begins, from 1. */
  line: number;
}

const [newline, quote, backslash, comma] = [0x0a, 0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const byteOrderMark = [0xef, 0xbb, 0xbf];
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * Divides a JSON list into its elements, and JSON documents after each other into each of them. It holds one element at
 * a time, so that the memory of a reader depends on the largest element and not on the file. It looks at brackets and
 * strings alone: JSON.parse of an element finds what else is wrong. Throws `UsageError` with the line for a list that
 * does not end, and for commas that are missing or too many.
 */
export async function* jsonElements(
  name: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<JsonElement> {
  const scanner = new ElementScanner(name);
  for await (const chunk of chunks) yield* scanner.read(chunk);
  yield* scanner.end();
}

class ElementScanner {
  private mode: 'start' | 'list' | 'documents' | 'ended' = 'start';
  /** What a list may have next. */
  private next: 'element' | 'comma' | 'element or end' = 'element or end';
  private isOpen = false;
  /** Open brackets of the element. */
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private line = 1;
  private elementLine = 1;
  private bytesBefore = 0;
  /** Of the element, from chunks before this one. */
  private parts: Buffer[] = [];

  constructor(private readonly name: string) {}

  *read(chunk: Buffer): Generator<JsonElement> {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === newline) this.line++;
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === backslash) this.isEscaped = true;
        else if (byte === quote) this.inString = false;
        continue;
      }
      // A number or a string ends before the byte that follows it.
      if (this.isOpen && this.depth === 0 && (isSpace(byte) || byte === comma || byte === closeList))
        yield this.element(chunk.subarray(start, i));
      if (!this.isOpen) {
        if (!this.begins(byte, i)) continue;
        this.isOpen = true;
        this.elementLine = this.line;
        start = i;
      }
      if (byte === quote) this.inString = true;
      else if (byte === openList || byte === openObject) this.depth++;
      else if ((byte === closeList || byte === closeObject) && --this.depth === 0)
        yield this.element(chunk.subarray(start, i + 1));
    }
    this.bytesBefore += chunk.length;
    if (this.isOpen) this.parts.push(chunk.subarray(start));
  }

  *end(): Generator<JsonElement> {
    const isWhole = this.mode === 'documents' && this.depth === 0 && !this.inString;
    if (this.isOpen && isWhole) yield this.element(Buffer.alloc(0));
    if (this.isOpen || this.mode === 'list')
      refuse(
        this.name,
        this.isOpen ? this.elementLine : this.line,
        'The JSON document is not valid from here on: it does not end.',
      );
  }

  /** Whether an element begins with a byte between elements. */
  private begins(byte: number, index: number): boolean {
    if (isSpace(byte) || byte === byteOrderMark[this.bytesBefore + index]) return false;
    if (this.mode === 'start') {
      this.mode = byte === openList ? 'list' : 'documents';
      return this.mode === 'documents';
    }
    if (this.mode === 'documents') return true;
    if (this.mode === 'ended')
      return refuse(this.name, this.line, 'The JSON list has ended before this line.');
    if (byte === closeList && this.next !== 'element') {
      this.mode = 'ended';
      return false;
    }
    if (byte === comma && this.next === 'comma') {
      this.next = 'element';
      return false;
    }
    if (this.next === 'comma' || byte === comma || byte === closeList)
      return refuse(this.name, this.line, 'The JSON document is not valid from here on.');
    return true;
  }

  private element(end: Buffer): JsonElement {
    const bytes = Buffer.concat([...this.parts, end]);
    this.parts = [];
    this.isOpen = false;
    this.next = 'comma';
    return { text: decoded(this.name, this.elementLine, bytes), line: this.elementLine };
  }
}

function decoded(name: string, line: number, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse(name, line, 'The text from here on is not UTF-8.');
  }
}
