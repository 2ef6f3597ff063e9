import type { Schemas } from '@spillway/client';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../repository.js';
import { picturesOf } from './pages.js';

const longest = { id: 'longest', last_seq: 9, compaction: { generation: 2, covered_through: 6 } };
const pictures = picturesOf({
  longest: longest as Schemas['Thread'],
  richest: 'richest',
  instructed: 'instructed',
  output: 'out_1',
});
const addresses = pictures.map(({ path }) => new URL(path, 'http://localhost'));

/** Without a picture: the door is not for who is signed in, and the settings lead to their first page. */
const without = ['/login', '/settings'];

test('each page of the console has a picture', () => {
  const pages = readdirSync(join(repository, 'apps/console/app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page.tsx'))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`)
    .filter((page) => !without.includes(page));
  const shows = (page: string) => {
    const pattern = new RegExp(`^${page.replace(/\[\w+\]/g, '[^/]+')}$`);
    return addresses.some(({ pathname }) => pattern.test(pathname));
  };
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !shows(page))).toEqual([]);
});

test('each tab of a thread has a picture', () => {
  const tabs = addresses.map(({ searchParams }) => searchParams.get('tab'));
  expect(tabs).toEqual(
    expect.arrayContaining(['summaries', 'context', 'instructions', 'compactions', 'outputs', 'access']),
  );
});

test('each picture has a name of its own', () => {
  const names = pictures.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
