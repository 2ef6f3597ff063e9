import type { DefaultTheme } from 'vitepress';
import type { Section } from './pages/page.js';

/** Sections with so many pages that they are folded until a reader is in one of them. */
const folded = new Set(['API reference', 'Decisions', 'Project']);

/** Sections that the bar on top names, by a word that fits. */
const onTop: Record<string, string> = {
  Start: 'Start',
  'Put it behind your agent': 'Agents',
  Concepts: 'Concepts',
  Recipes: 'Recipes',
  'API reference': 'API',
  Operations: 'Operations',
};

export function sidebar(sections: readonly Section[]): DefaultTheme.SidebarItem[] {
  return sections.map(({ title, pages }) => ({
    text: title,
    collapsed: folded.has(title),
    items: pages.map((page) => ({ text: page.title, link: page.path })),
  }));
}

export function topBar(sections: readonly Section[]): DefaultTheme.NavItem[] {
  return sections
    .filter(({ title }) => onTop[title] !== undefined)
    .map(({ title, pages }) => ({
      text: onTop[title]!,
      link: pages[0]!.path,
      activeMatch: `^(${pages.map(({ path }) => path.replace(/[.]/g, '\\.')).join('|')})$`,
    }));
}
