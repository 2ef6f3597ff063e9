import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { llmsFullText, llmsText, markdownPath, withMarkdownLinks } from './llms/llms.js';
import { homeComplaints } from './links/site-links.js';
import { openApiAddress, preparePages } from './pages/prepare-pages.js';
import { readSections } from './pages/sections.js';
import { repository } from './repository.js';

const folder = join(repository, 'site/.pages');

/**
 * Writes what VitePress builds the site from: the pages, their pictures, their Markdown, and the files for programs.
 * Throws with every link that leads nowhere.
 */
export async function writePages(): Promise<void> {
  const { sections, pictures, complaints } = preparePages(readSections());
  const home = await readFile(join(repository, 'site/home.md'), 'utf8');
  complaints.push(...homeComplaints(home, sections, pictures));
  if (complaints.length > 0) throw new Error(`Links that lead nowhere:\n${complaints.join('\n')}`);
  await rm(folder, { recursive: true, force: true });
  const pages = sections.flatMap((section) => section.pages);
  const paths = new Set(pages.map(({ path }) => path));
  await write('index.md', home);
  for (const { path, text } of pages) {
    await write(markdownPath(path), text);
    await write(`public${markdownPath(path)}`, withMarkdownLinks(text, paths));
  }
  for (const picture of pictures) {
    const to = join(folder, 'public/pictures', picture);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(repository, picture), to);
  }
  await write('public/llms.txt', llmsText(sections));
  await write('public/llms-full.txt', withMarkdownLinks(llmsFullText(sections), paths));
  await write(
    `public${openApiAddress}`,
    await readFile(join(repository, 'libs/client/openapi.json'), 'utf8'),
  );
}

async function write(path: string, text: string): Promise<void> {
  const to = join(folder, path);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, text);
}
