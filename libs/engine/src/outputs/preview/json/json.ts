import { withOddRecords } from '../odd-records.js';
import { itemsAsRecords } from './items.js';
import { notShown, plural } from '../counts.js';
import { fitRoom, scaled } from '../fit-room.js';
import { oneLine } from '../one-line.js';
import type { MakePreview } from '../preview.js';
import { parseJsonExactly } from './parse-exactly.js';
import { memberPath } from './paths.js';
import { schemaLines } from './schema.js';

/** The shape of the data first, since that is what a next step needs, then its first and last items. */
export const previewJson: MakePreview = (output, room, count) => {
  const { text } = output;
  const parsed = parseJsonExactly(text);
  if (!parsed) return null;
  const { value, documents } = parsed;
  const head = documents > 1 ? `JSON lines, ${plural(documents, 'document')}:` : 'JSON:';
  const make = (detail: number): string =>
    [
      head,
      ...schemaLines(value, { keys: scaled(detail, 24, 4), depth: scaled(detail, 4, 1) }).map(
        ({ text }) => text,
      ),
      ...samples(value, detail),
    ].join('\n');
  return withOddRecords(itemsAsRecords(value), room, count, ({ tokens }) => ({
    kind: 'json',
    text: fitRoom(make, tokens, count),
    readNext: null,
    readPath: firstPart(value),
  }));
};

/** The first item of the list that matters, or the first member. */
function firstPart(value: unknown): string {
  const found = listIn(value);
  if (found) return `${found.path}[0]`;
  const [key] = Object.keys(value as object);
  return key === undefined ? '$' : `$${memberPath(key)}`;
}

/** First two and last items of the list that matters: the value itself, or its longest list. */
function samples(value: unknown, detail: number): string[] {
  const found = listIn(value);
  if (!found) return [`value: ${clipped(value, scaled(detail, 1_500, 80))}`];
  const { list, path } = found;
  const size = scaled(detail, 500, 60);
  const first = list.slice(0, detail > 0.3 ? 2 : 1);
  const last = list.length > first.length ? list.slice(-1) : [];
  const between = list.length - first.length - last.length;
  return [
    ...first.map((item, i) => `${path}[${i}] = ${clipped(item, size)}`),
    ...notShown(between, `item of ${path}`, `items of ${path}`),
    ...last.map((item) => `${path}[${list.length - 1}] = ${clipped(item, size)}`),
  ];
}

function listIn(value: unknown): { list: unknown[]; path: string } | undefined {
  if (Array.isArray(value)) return value.length > 0 ? { list: value, path: '$' } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const lists = Object.entries(value).flatMap(([key, item]) =>
    Array.isArray(item) && item.length > 1 ? [{ list: item as unknown[], path: `$${memberPath(key)}` }] : [],
  );
  return lists.sort((a, b) => b.list.length - a.list.length)[0];
}

/** JSON of a value in about `size` characters: every field gets its share, so the last ones are seen as well. */
function clipped(value: unknown, size: number): string {
  if (typeof value === 'string') return JSON.stringify(oneLine(value, Math.max(8, size)));
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  const shown = entries.slice(0, Math.max(1, Math.floor(size / 14)));
  const each = Math.floor(size / Math.max(1, shown.length)) - 8;
  if (each < 4)
    return Array.isArray(value)
      ? `[${plural(entries.length, 'item')}]`
      : `{${plural(entries.length, 'key')}}`;
  const parts = shown.map(([key, item]) =>
    Array.isArray(value)
      ? clipped(item, each)
      : `${JSON.stringify(oneLine(String(key), 40))}: ${clipped(item, each)}`,
  );
  if (entries.length > shown.length) parts.push(`… ${entries.length - shown.length} more`);
  return Array.isArray(value) ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}
