import { notShown, plural } from '../counts.js';
import { fitRoom, scaled } from '../fit-room.js';
import { oneLine } from '../one-line.js';
import { clipLine } from '../lines/render-lines.js';
import { withOddRecords } from '../odd-records.js';
import type { MakePreview } from '../preview.js';
import { readHtml, type HtmlBlock, type HtmlPage } from './read-html.js';

/** Amounts of money, as pages write them. */
const price =
  /(?:[$€£¥]\s?\d[\d.,]{0,12}|\b\d[\d.,]{0,12}\s?(?:€|£|¥|USD|EUR|GBP|CHF|JPY)(?![\w]))(?:\s?(?:\/|per )\s?\w{1,12})?/g;

/**
 * A page as text: its title, its headings as an outline, its tables, forms, links and prices, and how its content
 * starts.
 */
export const previewHtml: MakePreview = ({ text }, room, count) => {
  const page = readHtml(text);
  const { blocks, all } = page;
  if (all.length === 0) return null;
  const headings = blocks.filter((block) => block.level > 0);
  const content = blocks.filter((block) => block.level === 0);
  const whole = content.map((block) => block.text).join(' ');
  const prices = pricesIn(content);
  const make = (detail: number): string =>
    [
      `Page: ${page.title === '' ? '(no title)' : oneLine(page.title, 160)}`,
      ...headingLines(headings, detail),
      ...tableLines(page, detail),
      ...formLines(page, detail),
      ...linkLine(page, detail),
      ...priceLine(prices, detail),
      ...contentLines(whole, detail),
    ].join('\n');
  const firstText = content[0]?.line ?? 1;
  const records = {
    noun: 'block',
    texts: all.map((block) => block.text),
    show: (i: number) => `line ${all[i]!.line}: ${clipLine(all[i]!.text)}`,
  };
  return withOddRecords(records, room, count, ({ tokens }) => ({
    kind: 'html',
    text: fitRoom(make, tokens, count),
    readNext: { from: firstText, to: firstText + 100 },
  }));
};

/** The outline of a page gives way later than its text. */
function headingLines(headings: readonly HtmlBlock[], detail: number): string[] {
  const outline = highestHeadings(headings, scaled(Math.min(1, detail + 0.3), 26, 6));
  return [
    ...outline.map(({ level, text, line }) => `${'#'.repeat(level)} ${oneLine(text, 90)} (line ${line})`),
    ...notShown(headings.length - outline.length, 'more heading'),
  ];
}

/** Tables of one row lay a page out. */
function tableLines({ tables }: HtmlPage, detail: number): string[] {
  const data = tables.filter((table) => table.rows > 1);
  const shown = data.slice(0, scaled(detail, 6, 1));
  return [
    ...shown.map(
      ({ line, rows, header }) => `Table (line ${line}), ${plural(rows, 'row')}: ${oneLine(header, 160)}`,
    ),
    ...notShown(data.length - shown.length, 'more table'),
  ];
}

function formLines({ forms }: HtmlPage, detail: number): string[] {
  const shown = forms.slice(0, scaled(detail, 4, 1));
  const size = scaled(detail, 240, 80);
  return [
    ...shown.map(
      ({ line, action, fields }) =>
        `Form (line ${line}), ${oneLine(action, 80)}: ${oneLine(fields.join(', '), size)}`,
    ),
    ...notShown(forms.length - shown.length, 'more form'),
  ];
}

function linkLine({ links, linkCount }: HtmlPage, detail: number): string[] {
  if (linkCount === 0) return [];
  const named = links
    .slice(0, scaled(detail, 8))
    .map(({ text, to }) => `${oneLine(text, 30)} <${oneLine(to, 60)}>`);
  return [`${plural(linkCount, 'link')}${named.length > 0 ? `, such as ${named.join(', ')}` : ''}`];
}

function priceLine(prices: readonly string[], detail: number): string[] {
  if (prices.length === 0) return [];
  const shown = prices.slice(0, scaled(detail, 16, 4)).join(', ');
  return [`${plural(prices.length, 'price')}: ${oneLine(shown, 400)}`];
}

function contentLines(whole: string, detail: number): string[] {
  const shown = oneLine(whole, scaled(detail, 1_200, 120));
  const [part, all] = [shown, whole].map(({ length }) => length.toLocaleString('en-US'));
  return [`Content as text, the first ${part} of ${all} characters:`, shown];
}

/** The highest headings first, as deep as there is room for all of a level; of too many the first and the last. */
function highestHeadings(headings: readonly HtmlBlock[], max: number): HtmlBlock[] {
  let shown: HtmlBlock[] = [];
  for (let level = 1; level <= 6; level++) {
    const more = headings.filter((heading) => heading.level <= level);
    if (more.length <= max) {
      shown = more;
      continue;
    }
    if (shown.length >= max / 2) return shown;
    // The parts of the level that fits no more: its start and its end, in their places.
    const deepest = more.filter((heading) => heading.level === level);
    const room = max - shown.length;
    const kept = new Set([
      ...shown,
      ...deepest.slice(0, Math.ceil(room / 2)),
      ...deepest.slice(deepest.length - Math.floor(room / 2)),
    ]);
    return more.filter((heading) => kept.has(heading));
  }
  return shown;
}

function pricesIn(content: readonly HtmlBlock[]): string[] {
  const prices = new Set<string>();
  for (const { text } of content) {
    if (prices.size >= 500) break;
    for (const [found] of text.slice(0, 4_000).matchAll(price)) prices.add(found.replace(/[.,]+$/, ''));
  }
  return [...prices];
}
