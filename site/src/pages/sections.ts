import fs, { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { titleOf } from '../markdown/headings.js';
import { repository } from '../repository.js';
import { generatedPages } from './generated-pages.js';
import { outline } from './outline.js';
import type { Page, Section } from './page.js';

/** Markdown that people read. Each file has a place in the outline. */
const documents = ['*.md', 'docs/**/*.md', 'libs/*/README.md', 'libs/adapters/*/README.md'];

/** Returns the paths of all documents, in order. */
export const documentPaths = (): string[] =>
  fs.globSync(documents, { cwd: repository, exclude: ['**/node_modules/**'] }).toSorted();

/** Reads every page. Throws when a file has no place, or two pages have one address. */
export function readSections(): Section[] {
  const sections = outline.map(({ title, summary, rows, generated }): Section => {
    const pages = rows.map(([source, path, shown]): Page => {
      const text = readFileSync(join(repository, source), 'utf8');
      return { source, path, title: shown ?? titleOf(text) ?? path, text };
    });
    return { title, summary, pages: [...pages, ...(generated ? generatedPages[generated]() : [])] };
  });
  const pages = sections.flatMap((section) => section.pages);
  const placed = new Set(pages.map(({ source }) => source));
  const lost = documentPaths().filter((path) => !placed.has(path));
  if (lost.length > 0) throw new Error(`No place in site/src/pages/outline.ts for: ${lost.join(', ')}`);
  const twice = [...Map.groupBy(pages, ({ path }) => path)].filter(([, own]) => own.length > 1);
  if (twice.length > 0) throw new Error(`More than one page at ${twice.map(([path]) => path).join(', ')}`);
  return sections;
}
