import { basename, join } from 'node:path';
import fs, { readFileSync } from 'node:fs';
import { repository } from '../repository.js';
import { titleOf } from '../markdown/headings.js';
import type { OpenApi } from '../reference/document.js';
import { clientPages } from '../reference/client-pages.js';
import { referencePages } from '../reference/reference-pages.js';
import type { OutlineSection } from './outline.js';
import type { Page } from './page.js';

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

const filesIn = (pattern: string): string[] => fs.globSync(pattern, { cwd: repository }).toSorted();

/** The pages that the build writes, by the name that the outline uses. */
export const generatedPages: Record<NonNullable<OutlineSection['generated']>, () => Page[]> = {
  console: () => [consolePage(filesIn('docs/console/*.png'))],
  recipes: () => {
    const index = 'docs/recipes/README.md';
    const rest = filesIn('docs/recipes/*.md').filter((path) => path !== index);
    return [index, ...rest].map((source) =>
      pageOf(source, source === index ? '/recipes/' : `/recipes/${basename(source, '.md')}`),
    );
  },
  client: clientPages,
  api: () => referencePages(JSON.parse(read('libs/client/openapi.json')) as OpenApi),
  decisions: () => {
    const decisions = filesIn('docs/adr/*.md').map((source) =>
      pageOf(source, `/decisions/${basename(source, '.md')}`),
    );
    return [decisionIndex(decisions), ...decisions];
  },
};

function pageOf(source: string, path: string): Page {
  const text = read(source);
  const title = titleOf(text);
  if (title === null) throw new Error(`${source} has no heading`);
  return { source, path, title, text };
}

function decisionIndex(decisions: readonly Page[]): Page {
  const rows = decisions.map(({ path, title }) => `| [${title}](${path}) |`);
  const text = [
    '# Decisions',
    'Each decision that cost thought, with its context, its reasons and what follows from it. The newest is the last.',
    ['| decision |', '| --- |', ...rows].join('\n'),
  ].join('\n\n');
  return { path: '/decisions/', title: 'All decisions', source: null, text };
}

/** Shows each page of the console, in the colours of the reader's theme. */
export function consolePage(files: readonly string[]): Page {
  const names = files.map((file) => basename(file, '.png')).filter((name) => !/-(dark|narrow)$/.test(name));
  const parts = names.map((name) => {
    const title = `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
    const shown = (theme: string, file: string) =>
      `<img class="console-picture ${theme}" loading="lazy" src="/pictures/docs/console/${file}" alt="The page ${title} of the console">`;
    const dark = files.includes(`docs/console/${name}-dark.png`) ? `${name}-dark.png` : `${name}.png`;
    return [`## ${title}`, [shown('light', `${name}.png`), shown('dark', dark)].join('\n')].join('\n\n');
  });
  const text = [
    '# Console',
    'The console shows what happened to every message. `npm start` prints its address; it runs at `localhost:4001`. These are its pages.',
    ...parts,
  ].join('\n\n');
  return { path: '/console', title: 'Console', source: null, text };
}
