import type { Api } from '@spillway/testing';
import { expect } from 'vitest';

/** Reads a list by its cursors to the end, and returns its pages. The path may have a cursor to begin at. */
export async function everyPage<Page extends { next_cursor: string | null }>(
  api: Api,
  path: string,
): Promise<Page[]> {
  const pages: Page[] = [];
  const at = new URL(path, 'http://api');
  for (;;) {
    const { status, body } = await api.call<Page>('GET', at.pathname + at.search);
    expect(status).toBe(200);
    pages.push(body);
    if (body.next_cursor === null) return pages;
    at.searchParams.set('cursor', body.next_cursor);
  }
}
