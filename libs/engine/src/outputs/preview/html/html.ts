import { clipLine } from '../lines/render-lines.js';
import { withOddRecords } from '../odd-records.js';
import { fitRoom, oneLine, plural, scaled } from '../fit-room.js';
import type { MakePreview } from '../preview.js';
import { readHtml } from './read-html.js';

/** A page as text: its title, its headings as an outline, and how its content starts. */
export const previewHtml: MakePreview = (output, room, count) => {
  const { text } = output;
  const { title, blocks } = readHtml(text);
  const headings = blocks.filter((block) => block.level > 0);
  const content = blocks.filter((block) => block.level === 0);
  const characters = content.reduce((sum, block) => sum + block.text.length, 0);
  if (blocks.length === 0) return null;
  const make = (detail: number): string => {
    const outline = headings.slice(0, scaled(detail, 24, 4));
    const left = headings.length - outline.length;
    const shown = oneLine(content.map((block) => block.text).join(' '), scaled(detail, 1_600, 120));
    return [
      `Page: ${title === '' ? '(no title)' : oneLine(title, 160)}`,
      ...outline.map((block) => `${'#'.repeat(block.level)} ${oneLine(block.text, 90)} (line ${block.line})`),
      ...(left > 0 ? [`--- ${plural(left, 'more heading')} not shown ---`] : []),
      `Content as text, the first ${shown.length.toLocaleString('en-US')} of ${characters.toLocaleString('en-US')} characters:`,
      shown,
    ].join('\n');
  };
  const firstText = content[0]?.line ?? 1;
  const records = {
    noun: 'block',
    said: blocks.map((block) => block.text),
    show: (i: number) => `line ${blocks[i]!.line}: ${clipLine(blocks[i]!.text)}`,
  };
  return withOddRecords(records, room, count, ({ tokens }) => ({
    kind: 'html',
    text: fitRoom(make, tokens, count),
    readNext: { from: firstText, to: firstText + 100 },
  }));
};
