import { defineConfig } from 'vitepress';
import { slugOf } from './markdown/headings.js';
import { sidebar, topBar } from './navigation.js';
import { readSections } from './pages/sections.js';
import { searchOptions } from './search.js';
import { base, summary, title } from './settings.js';

const sections = readSections();

/** The site as VitePress builds it, from what `writePages` wrote. */
export default defineConfig({
  title,
  description: summary,
  base,
  srcDir: '.pages',
  srcExclude: ['public/**'],
  outDir: '.output',
  cacheDir: '../.cache/vitepress',
  cleanUrls: true,
  metaChunk: true,
  // One page at a time, so that the search index is the same each time.
  buildConcurrency: 1,
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: topBar(sections),
    sidebar: sidebar(sections),
    outline: [2, 3],
    search: { provider: 'local', options: searchOptions },
    footer: { message: 'Apache-2.0' },
  },
});
