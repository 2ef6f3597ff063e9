import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rewriteLinks, withoutExpressions, type Targets } from '../links/rewrite-links.js';
import { siteLinkComplaints } from '../links/site-links.js';
import { documentOf, partsOf } from '../markdown/fences.js';
import { headingsOf } from '../markdown/headings.js';
import { transitionTable } from '../markdown/state-diagram.js';
import { repository } from '../repository.js';
import { repositoryAddress } from '../settings.js';
import type { Page, Section } from './page.js';

/** Folders of the repository that a page stands for. */
const folders: Record<string, string> = {
  'docs/adr': '/decisions/',
  'docs/console': '/console',
  'docs/recipes': '/recipes/',
  'docs/quick-starts': '/quick-starts/',
};

export interface PreparedPages {
  sections: Section[];
  /** Pictures of the repository that pages show. */
  pictures: string[];
  complaints: string[];
}

/** Files that the build puts beside the pages. */
export const openApiAddress = '/openapi.json';

/** Makes the pages of the repository pages of the site: links, blocks, pictures. Reports links that lead nowhere. */
export function preparePages(sections: readonly Section[]): PreparedPages {
  const pages = sections.flatMap((section) => section.pages);
  const bySource = new Map(pages.map((page) => [page.source, page.path]));
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsIn(text)]));
  const targets: Targets = {
    pageOf: (path) => bySource.get(path) ?? folders[path],
    exists: (path) => existsSync(join(repository, path)),
    anchorsOf: (path) => anchors.get(path) ?? new Set(),
    repositoryAddress,
  };
  const pictures = new Set<string>();
  const complaints: string[] = [];
  const prepare = (page: Page): Page => {
    if (page.source === null) {
      complaints.push(...siteLinkComplaints(page, anchors, [openApiAddress]));
      for (const [, path] of page.text.matchAll(/src="\/pictures\/([^"]+)"/g)) pictures.add(path!);
      return { ...page, text: withoutExpressions(page.text) };
    }
    const rewritten = rewriteLinks(withPlainFences(page.text), page.source, targets);
    complaints.push(...rewritten.complaints);
    for (const path of rewritten.pictures) pictures.add(path);
    return { ...page, text: withoutExpressions(rewritten.text) };
  };
  const prepared = sections.map((section) => ({ ...section, pages: section.pages.map(prepare) }));
  return { sections: prepared, pictures: [...pictures].toSorted(), complaints };
}

const anchorsIn = (text: string): ReadonlySet<string> =>
  new Set(headingsOf(text).map(({ anchor }) => anchor));

/** Shows state diagrams as tables, and leaves out of a fence what only the check of code blocks reads. */
export function withPlainFences(markdown: string): string {
  return documentOf(
    partsOf(markdown).map((part) => {
      if (part.kind === 'prose') return part;
      const language = part.info.split(/\s/)[0] ?? '';
      if (language === 'mermaid')
        return { kind: 'prose' as const, line: part.line, text: transitionTable(part.text) };
      return { ...part, info: language === 'text' ? '' : language };
    }),
  );
}
