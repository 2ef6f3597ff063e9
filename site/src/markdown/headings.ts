import { partsOf } from './fences.js';

/** Returns the text of a heading without its Markdown. */
export function plainText(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\\(.)/g, '$1')
    .trim();
}

/** Returns the anchor of a heading as forges make it, so that links in the repository lead to the same place here. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the text of the first heading, or null. */
export function titleOf(markdown: string): string | null {
  const found = headingsOf(markdown).find(({ level }) => level === 1);
  return found?.text ?? null;
}

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** Returns the headings of a document. The anchor of a repeated heading has a number, and `{#name}` sets one. */
export function headingsOf(markdown: string): Heading[] {
  const counts = new Map<string, number>();
  return partsOf(markdown)
    .filter((part) => part.kind === 'prose')
    .flatMap(({ text }) => [...text.matchAll(/^(#{1,6}) (.+)$/gm)])
    .map(([, marks, raw]) => {
      const own = /^(.*) \{#([\w-]+)\}$/.exec(raw!);
      const text = plainText(own?.[1] ?? raw!);
      if (own) return { level: marks!.length, text, anchor: own[2]! };
      const slug = slugOf(text);
      const before = counts.get(slug) ?? 0;
      counts.set(slug, before + 1);
      return { level: marks!.length, text, anchor: before === 0 ? slug : `${slug}-${before}` };
    });
}
