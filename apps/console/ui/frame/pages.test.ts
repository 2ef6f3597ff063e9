import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isMeant, pages, subpages, titleOf } from './pages';

test('the palette finds every page', () => {
  const app = new URL('../../app/', import.meta.url);
  const found = [...pages, ...subpages].map(({ href }) => href.split('?')[0]);
  const inApp = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page.tsx') && !file.includes('['))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`)
    .filter((path) => path !== '/login');
  expect(inApp.length).toBeGreaterThan(8);
  for (const page of inApp) expect(found, page).toContain(page);
});

test('each page has an address and a key of its own', () => {
  const addresses = [...pages, ...subpages].map(({ href }) => href);
  for (const all of [addresses, pages.map(({ key }) => key)]) expect(all).toEqual([...new Set(all)]);
});

test.each(['webhooks', 'audit', 'keys', 'models', 'prices', 'parked'])('%s is found', (text) => {
  expect(subpages.filter((page) => isMeant(text, page)).length).toBeGreaterThan(0);
});

test.each([
  ['/', 'Overview'],
  ['/jobs', 'Jobs'],
  ['/settings/keys', 'Keys'],
  ['/login', 'Sign in'],
  ['/threads/pull%2F12', 'pull/12'],
  ['/outputs/0123456789abcdef', 'Output 0123456789ab'],
])('the title of %s is %s', (path, title) => {
  expect(titleOf(path)).toBe(`${title} · Spillway`);
});

test.each(['/nowhere', '/threads/50%'])(
  'the page %s does not exist: its title is that of the console',
  (path) => {
    expect(titleOf(path)).toBe('Spillway');
  },
);
