import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { llmsFullText, llmsText, markdownPath, withMarkdownLinks } from './llms/llms.js';
import { homeComplaints } from './links/site-links.js';
import { openApiAddress, preparePages } from './pages/prepare-pages.js';
import { readSections } from './pages/sections.js';
import { repository } from './repository.js';

const folder = join(repository, 'site/.pages');

/**
 * Writes what VitePress builds the site from: the pages, their pictures, their Markdown, and the files for programs.
 * Throws with every link that leads nowhere. A file that stays as it was is not
 * touched: the server that watches them loses those that are removed and come back.
 */
export async function writePages(): Promise<void> {
  const { sections, pictures, complaints } = preparePages(readSections());
  const home = await readFile(join(repository, 'site/home.md'), 'utf8');
  complaints.push(...homeComplaints(home, sections, pictures));
  if (complaints.length > 0) throw new Error(`Links that lead nowhere:\n${complaints.join('\n')}`);
  const pages = sections.flatMap((section) => section.pages);
  const paths = new Set(pages.map(({ path }) => path));
  const files = new Map<string, string | Buffer>([['index.md', home]]);
  for (const { path, text } of pages) {
    files.set(markdownPath(path).slice(1), text);
    files.set(`public${markdownPath(path)}`, withMarkdownLinks(text, paths));
  }
  for (const picture of pictures)
    files.set(join('public/pictures', picture), await readFile(join(repository, picture)));
  files.set('public/llms.txt', llmsText(sections));
  files.set('public/llms-full.txt', withMarkdownLinks(llmsFullText(sections), paths));
  files.set(`public${openApiAddress}`, await readFile(join(repository, 'libs/client/openapi.json')));
  await writeAll(files);
}

/** Makes these the files of the folder. */
async function writeAll(files: ReadonlyMap<string, string | Buffer>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const old of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(relative(folder, old.parentPath), old.name);
    if (!old.isDirectory() && !files.has(path)) await rm(join(folder, path));
  }
  for (const [path, content] of files) {
    const to = join(folder, path);
    const before = await readFile(to).catch(() => null);
    if (before?.equals(Buffer.from(content))) continue;
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, content);
  }
}
