import { expect, test } from 'vitest';
import { preparePages } from '../pages/prepare-pages.js';
import { readSections } from '../pages/sections.js';
import { firstSentence, llmsFullText, llmsText, markdownPath, withMarkdownLinks } from './llms.js';

const page = (path: string, text: string) => ({ path, title: path.slice(1), source: null, text });
const sections = [
  { title: 'Guides', summary: '', pages: [page('/a', '# A\n\nHow to. More.'), page('/b/', '# B\n\n| x |')] },
  { title: 'Decisions', summary: '', pages: [page('/d', '# D\n\nWhy.')] },
];

test('llms.txt has a title, a summary, and sections of links; records of the past are optional', () => {
  const [title, summary, , ...rest] = llmsText(sections).trimEnd().split('\n\n');
  expect(title).toBe('# Spillway');
  expect(summary).toMatch(/^> Spillway keeps /);
  expect(rest).toEqual([
    '## Guides',
    '- [a](/a.md): How to.\n- [b/](/b/index.md)',
    '## Optional',
    '- [d](/d.md): Why.',
  ]);
});

test('llms-full.txt has the pages that are not optional, each with its address', () => {
  expect(llmsFullText(sections)).toBe(
    '<!-- /a -->\n\n# A\n\nHow to. More.\n\n<!-- /b/ -->\n\n# B\n\n| x |\n',
  );
});

test('links between pages lead to their Markdown, other links stay', () => {
  expect(withMarkdownLinks('[a](/a#x) [b](/b/) [c](/c) [d](https://x.y/a)', new Set(['/a', '/b/']))).toBe(
    '[a](/a.md#x) [b](/b/index.md) [c](/c) [d](https://x.y/a)',
  );
});

test('a page is described by its first sentence', () => {
  expect(firstSentence('# A\n\n![x](y.png)\n\nIt **reads** [a file](a.md),\nas of v1.2. Then more.')).toBe(
    'It reads a file, as of v1.2.',
  );
});

test('every page of the site is in llms.txt, and no link of the site leads nowhere', () => {
  const { sections: all, complaints } = preparePages(readSections());
  expect(complaints).toEqual([]);
  const text = llmsText(all);
  const paths = all.flatMap(({ pages }) => pages.map(({ path }) => markdownPath(path)));
  expect(paths.filter((path) => !text.includes(`](${path})`))).toEqual([]);
  expect(paths.length).toBeGreaterThan(100);
});
