import { openStore, type Store } from '@spillway/store';
import { freshDatabase } from '@spillway/testing';
import { afterAll, beforeAll, expect } from 'vitest';

export interface StoreAlone {
  url: string;
  store: Store;
}

/**
 * Opens a store on a database of its own, without any process beside it, for all tests of a file, and hands it over
 * before the first. A project has a part of the connections: two for one that is used at a time, eight for transactions
 * that wait for each other.
 */
export function storeAlone(maxConnections: number, opened: (on: StoreAlone) => void | Promise<void>): void {
  let store: Store | undefined;
  beforeAll(async () => {
    const url = await freshDatabase();
    store = openStore({ url, maxConnections, onError: (error) => expect.unreachable(error.message) });
    await opened({ url, store });
  });
  afterAll(() => store?.close());
}
