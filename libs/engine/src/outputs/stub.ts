import { maxJsonLength } from './preview/json/parse-json.js';
import { readerToolNames, type ReaderToolNames } from '../reader-tools/reader-tool-names.js';
import { plural } from './preview/counts.js';
import type { Preview } from './preview/preview.js';

export interface OffloadedText {
  id: string;
  bytes: number;
  lines: number;
  tokens: number;
}

/**
 * Renders the text that replaces an offloaded output: its size, a preview that fits its content and names what is
 * omitted, and the shortest call of a tool that reads on. Deterministic; bounded by the preview's budget.
 */
export function renderStub(
  output: OffloadedText,
  preview: Preview,
  names: ReaderToolNames = readerToolNames(),
): string {
  const { id, lines } = output;
  const next = preview.readNext ?? { from: 1, to: 100 };
  const range = `${next.from}-${Math.max(next.from, Math.min(next.to, lines))}`;
  // A JSON document is often one line: its parts are read by path.
  const isByPath = preview.kind === 'json' && preview.readNext === null && output.bytes <= maxJsonLength;
  const part = isByPath ? `path=${JSON.stringify(preview.readPath ?? '$')}` : `lines="${range}"`;
  return [
    `[Output ${id} (${preview.kind}) is stored outside of the context: ${plural(lines, 'line')}, ${plural(output.bytes, 'byte')}, about ${output.tokens} tokens. What of it matters most:]`,
    ...(preview.text === '' ? [] : [preview.text]),
    `[More: ${names.read_output}(id="${id}", ${part}) or ${names.grep_output}]`,
  ].join('\n');
}

/** The output whose stub a text is or starts with; null for any other text. */
export const stubId = (text: string): string | null =>
  /^\[Output (out_[0-9a-f]{32}) \(/.exec(text.slice(0, 60))?.[1] ?? null;
