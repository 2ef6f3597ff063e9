import { clipHead } from '../../tokens/clip.js';
import type { CountTokens } from '../../tokens/counter.js';
import { previewCode } from './code/code.js';
import { previewDiff } from './diff/diff.js';
import { previewHtml } from './html/html.js';
import { previewJson } from './json/json.js';
import { previewListing } from './listing.js';
import { previewLog } from './log/log.js';
import { previewPlain } from './plain.js';
import type { MakePreview, OutputKind, Preview, PreviewRoom } from './preview.js';
import { previewSearchResults } from './search-results.js';
import { readText } from './lines/read-lines.js';
import { kindOfLines } from './sniff.js';
import { previewTable } from './table/table.js';

/** A preview for each kind: a new one is a file beside these, a name in preview.ts and a row here. */
const makers: Record<OutputKind, MakePreview> = {
  log: previewLog,
  json: previewJson,
  table: previewTable,
  html: previewHtml,
  code: previewCode,
  diff: previewDiff,
  listing: previewListing,
  search: previewSearchResults,
  text: previewPlain,
};

/**
 * What to show of an output, chosen by what it holds: the part of a stub that should make a second read unnecessary.
 * What is broken, or not of its kind after all, falls back to first and last lines.
 */
export function previewOf(whole: string, room: PreviewRoom, count: CountTokens): Preview {
  const { text, lines } = readText(whole);
  const kind = kindOfLines(text, lines);
  const output = { kind, text, lines };
  const maker = lines.isUnwrapped ? previewLog : makers[kind];
  const preview = maker(output, room, count) ?? previewPlain(output, room, count);
  return { ...preview, text: within(preview.text, room.tokens, count) };
}

/**
 * The text, cut where a policy leaves fewer tokens than the least that its kind shows. Halves of characters, which
 * escapes in JSON can name, become U+FFFD: providers refuse them.
 */
function within(text: string, tokens: number, count: CountTokens): string {
  const whole = text.toWellFormed();
  return count(whole) <= tokens ? whole : clipHead(whole, tokens, count);
}
