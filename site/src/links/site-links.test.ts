import { expect, test } from 'vitest';
import { homeComplaints, siteLinkComplaints } from './site-links.js';

const page = (text: string) => ({ path: '/a', title: 'A', source: null, text });
const anchors = new Map([
  ['/a', new Set(['one'])],
  ['/b', new Set(['two'])],
]);

test('links of a page that the build wrote lead to pages, headings and files', () => {
  const text = '[b](/b#two) [own](#one) [file](/openapi.json) [other](https://example.com) `[x](/gone)`';
  expect(siteLinkComplaints(page(text), anchors, ['/openapi.json'])).toEqual([]);
});

test('links of such a page that lead nowhere are reported', () => {
  expect(siteLinkComplaints(page('[c](/c) [b](/b#one) [own](#two)'), anchors, [])).toEqual([
    '/a: /c is no page',
    '/a: /b#one has no heading #one',
    '/a: #two has no heading #two',
  ]);
});

test('links and pictures of the start page that lead nowhere are reported', () => {
  const home = 'hero:\n  image:\n    light: /pictures/x.png\n  link: /a\n  - link: /gone\n    link: /gone\n';
  const sections = [{ title: 'S', summary: '', pages: [page('')] }];
  expect(homeComplaints(home, sections, [])).toEqual([
    'site/home.md: /pictures/x.png is no page and no picture',
    'site/home.md: /gone is no page and no picture',
  ]);
});
