import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../repository.js';

test('every decision in docs/adr has a number of its own, in its name and in its heading', () => {
  const folder = join(repository, 'docs/adr');
  const decisions = readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file));
  expect(decisions.length).toBeGreaterThan(100);
  const numbers = decisions.map((file) => Number(file.slice(0, 4)));
  expect(numbers).toEqual([...new Set(numbers)]);
  const headings = decisions.map((file) => /^# (\d+)\. /.exec(readFileSync(join(folder, file), 'utf8'))?.[1]);
  expect(headings.map(Number)).toEqual(numbers);
});
