import type { Schemas, Spillway } from '@spillway/client';

export type Key = Schemas['KeyList']['data'][number];

/** Reads every key of the project, page by page: revoked and expired ones stay in the list. */
export async function* readKeys(spillway: Spillway): AsyncGenerator<Key> {
  for (let cursor: string | undefined; ;) {
    const query = { limit: 1000, cursor };
    const page = await spillway.call<Schemas['KeyList']>({ method: 'GET', path: '/v1/keys', query });
    yield* page.data;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}
