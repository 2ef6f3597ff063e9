import { expect, test } from 'vitest';
import { rewriteLinks, withoutExpressions, type Targets } from './rewrite-links.js';

const targets: Targets = {
  pageOf: (path) => ({ 'docs/a.md': '/a', 'README.md': '/overview', 'docs/adr': '/decisions/' })[path],
  exists: (path) => ['docs/a.md', 'README.md', 'docs/adr', 'docs/b.png', 'libs/x/cut.ts'].includes(path),
  anchorsOf: (page) => new Set(page === '/a' ? ['one'] : []),
  repositoryAddress: undefined,
};
const rewrite = (text: string, more: Partial<Targets> = {}) =>
  rewriteLinks(text, 'docs/a.md', { ...targets, ...more });

test('a link to a file that is a page leads to the page, with its heading', () => {
  const { text, complaints } = rewrite('[home](../README.md) and [one](a.md#one) and [here](#one)');
  expect(text).toBe('[home](/overview) and [one](/a#one) and [here](/a#one)');
  expect(complaints).toEqual([]);
});

test('a link to a folder leads to the page that stands for it', () => {
  expect(rewrite('[decisions](adr/)').text).toBe('[decisions](/decisions/)');
});

test('a picture is served by the site', () => {
  expect(rewrite('![b](b.png)')).toEqual({
    text: '![b](/pictures/docs/b.png)',
    pictures: ['docs/b.png'],
    complaints: [],
  });
});

test('a link to a source file names its path while the repository has no address, and leads there when it has one', () => {
  const text = '[the cut](../libs/x/cut.ts), [cut.ts](../libs/x/cut.ts)';
  expect(rewrite(text).text).toBe('the cut (`libs/x/cut.ts`), `libs/x/cut.ts`');
  expect(rewrite(text, { repositoryAddress: 'https://forge.example/x/' }).text).toBe(
    '[the cut](https://forge.example/x/libs/x/cut.ts), [cut.ts](https://forge.example/x/libs/x/cut.ts)',
  );
});

test.each([
  ['a file that is missing', '[x](gone.md)', 'docs/a.md: gone.md is not in the repository'],
  ['a file outside of the repository', '[x](../../x.md)', 'docs/a.md: ../../x.md is not in the repository'],
  ['a heading that is missing', '[x](a.md#two)', 'docs/a.md: a.md#two has no heading #two'],
  ['a heading of the same page that is missing', '[x](#two)', 'docs/a.md: #two has no heading #two'],
])('a link to %s is reported', (_what, text, complaint) => {
  expect(rewrite(text).complaints).toEqual([complaint]);
});

test('links in code, and to other sites, stay as they are', () => {
  const text = '`[x](gone.md)` [site](https://example.com)\n```\n[x](gone.md)\n```';
  expect(rewrite(text)).toEqual({ text, pictures: [], complaints: [] });
});

test('two braces are no expression of a template, and stay in code', () => {
  expect(withoutExpressions('{{x}} `{{y}}`')).toBe('<span v-pre>{{</span>x}} `{{y}}`');
});
