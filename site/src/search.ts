import type { DefaultTheme } from 'vitepress';

/**
 * How the built-in search reads a query: every word has to be found, words that stand everywhere are left out, and
 * guides come before records of the past. VitePress sends these functions to the browser as text, so that each uses
 * nothing but its arguments.
 */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  detailedView: 'auto',
  miniSearch: {
    options: {
      processTerm: (term: string) =>
        /^(a|an|and|are|as|at|by|do|for|how|i|in|is|it|my|of|on|or|that|the|to|what|with)$/i.test(term)
          ? null
          : term.toLowerCase(),
    },
    searchOptions: {
      combineWith: 'AND',
      fuzzy: 0.1,
      prefix: true,
      boost: { title: 6, titles: 2, text: 1 },
      boostDocument: (id: string) =>
        /\/(decisions|project|changes|operations\/(faults|abuse|promises))/.test(id) ? 0.2 : 1,
    },
  },
};
