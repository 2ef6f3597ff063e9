import { partsOf } from '../markdown/fences.js';
import type { Page, Section } from '../pages/page.js';

/** Reports links of a page that the build wrote which lead to no page, heading or file of the site. */
export function siteLinkComplaints(
  { path, text }: Page,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  files: readonly string[],
): string[] {
  return partsOf(text)
    .filter(({ kind }) => kind === 'prose')
    .flatMap((part) => [...part.text.replace(/`[^`\n]+`/g, 'code').matchAll(/\]\(([^)\s]+)\)/g)])
    .map(([, target]) => target!)
    .filter((target) => !/^https?:/.test(target) && !files.includes(target))
    .flatMap((target) => {
      const [page = '', hash] = target.split('#');
      const found = anchors.get(page === '' ? path : page);
      if (!found) return [`${path}: ${target} is no page`];
      return hash === undefined || found.has(hash) ? [] : [`${path}: ${target} has no heading #${hash}`];
    });
}

/** Reports links and pictures of the start page, which stand in its front matter, that lead nowhere. */
export function homeComplaints(
  home: string,
  sections: readonly Section[],
  pictures: readonly string[],
): string[] {
  const paths = new Set([
    ...sections.flatMap(({ pages }) => pages.map(({ path }) => path)),
    ...pictures.map((path) => `/pictures/${path}`),
  ]);
  return [...home.matchAll(/^\s*(?:link|light|dark): (\S+)$/gm)]
    .map(([, target]) => target!)
    .filter((target) => !paths.has(target))
    .map((target) => `site/home.md: ${target} is no page and no picture`);
}
