import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { allKeys } from './all-keys';

test('keys are read page by page, to the end', async () => {
  const key = (id: string) => ({ id }) as Schemas['KeyList']['data'][number];
  const asked: (string | undefined)[] = [];
  const pages = new Map([
    [undefined, { data: [key('c'), key('b')], next_cursor: 'b' }],
    ['b', { data: [key('a')], next_cursor: null }],
  ]);
  const all = await allKeys((cursor) => {
    asked.push(cursor);
    return Promise.resolve(pages.get(cursor)!);
  });
  expect(asked).toEqual([undefined, 'b']);
  expect(all).toEqual({ data: [key('c'), key('b'), key('a')], next_cursor: null });
});
