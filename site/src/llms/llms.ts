import { documentOf, partsOf } from '../markdown/fences.js';
import { plainText } from '../markdown/headings.js';
import type { Page, Section } from '../pages/page.js';
import { summary, title } from '../settings.js';

/** Sections that a reader with little room leaves out: llmstxt.org has the heading "Optional" for them. */
const optional = new Set(['Decisions', 'Project']);

/** Returns the path of a page's Markdown, which the site serves beside the page. */
export const markdownPath = (path: string): string => (path.endsWith('/') ? `${path}index.md` : `${path}.md`);

/** Makes links between pages lead to their Markdown. */
export function withMarkdownLinks(text: string, pages: ReadonlySet<string>): string {
  return text.replace(/\]\((\/[^)#\s]*)/g, (whole, path: string) =>
    pages.has(path) ? `](${markdownPath(path)}` : whole,
  );
}

/** Returns the first sentence of a page, without its Markdown, or an empty text for a page that begins otherwise. */
export function firstSentence(text: string): string {
  const prose = documentOf(partsOf(text).filter(({ kind }) => kind === 'prose'));
  const paragraph = prose
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== '' && !/^([#|!<]|- |\d+\. |```|\*\*)/.test(part));
  const sentence = /^.*?[.:!?](?=\s|$)/s.exec(paragraph ?? '')?.[0] ?? '';
  return plainText(sentence.replace(/\s+/g, ' ')).replace(/:$/, '.');
}

/** The index of the site for programs, as llmstxt.org describes it: title, summary, sections of links. */
export function llmsText(sections: readonly Section[]): string {
  const lines = (pages: readonly Page[]) =>
    pages.map(({ title: name, path, text }) => {
      const about = firstSentence(text);
      return `- [${name}](${markdownPath(path)})${about === '' ? '' : `: ${about}`}`;
    });
  const main = sections.filter((section) => !optional.has(section.title));
  const rest = sections.filter((section) => optional.has(section.title)).flatMap(({ pages }) => pages);
  return [
    `# ${title}`,
    `> ${summary}`,
    'Each link leads to a page as Markdown. /llms-full.txt has all pages but the optional ones in one file, and ' +
      '/openapi.json the API.',
    ...main.map(({ title: name, pages }) => [`## ${name}`, lines(pages).join('\n')].join('\n\n')),
    ['## Optional', lines(rest).join('\n')].join('\n\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Every page that is not optional, one after the other, each with its address. */
export function llmsFullText(sections: readonly Section[]): string {
  return sections
    .filter((section) => !optional.has(section.title))
    .flatMap(({ pages }) => pages)
    .map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}\n`)
    .join('\n');
}
