import { jsonFault } from './json-fault';

export type ReadObject = { ok: true; value: object } | { ok: false; why: string };

/** Reads a JSON object, or says where the text stops being one. */
export function readObject(text: string): ReadObject {
  const fault = jsonFault(text);
  if (fault !== null) {
    const lines = text.slice(0, fault.offset).split('\n');
    const place = `Line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    return { ok: false, why: `${place}: expected ${fault.expected}, found ${found(text, fault.offset)}` };
  }
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ok: true, value }
    : { ok: false, why: 'must be a JSON object' };
}

function found(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset);
  if (codePoint === undefined) return 'the end of the text';
  return codePoint === 10 ? 'the end of the line' : String.fromCodePoint(codePoint);
}
