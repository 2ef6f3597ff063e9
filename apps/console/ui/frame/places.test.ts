import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isMeant, places, subpages } from './places';

test('the palette finds every page', () => {
  const app = new URL('../../app/', import.meta.url);
  const found = [...places, ...subpages].map(({ href }) => href.split('?')[0]);
  const pages = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page.tsx') && !file.includes('['))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`)
    .filter((path) => path !== '/login');
  expect(pages.length).toBeGreaterThan(8);
  for (const page of pages) expect(found, page).toContain(page);
});

test.each(['webhooks', 'audit', 'keys', 'models', 'prices', 'parked'])('%s is found', (text) => {
  expect(subpages.filter((page) => isMeant(text, page)).length).toBeGreaterThan(0);
});
