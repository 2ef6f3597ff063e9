import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  BeyondBlob,
  BlobCorrupt,
  BlobMissing,
  hashChunks,
  readVerified,
  type BlobStore,
} from '@spillway/blobs';
import { expect, test } from 'vitest';

async function gather<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}

/** What every blob store must do, whatever it stores on. `break_` takes its storage away. */
export function conformance(open: () => BlobStore, break_: () => Promise<void>): void {
  const key = (name = 'blob') => `p-${randomUUID()}/threads/t-1/outputs/${name}`;
  const all = async (store: BlobStore, at: string, size: number) =>
    buffer(await store.read(at, { start: 0, end: size }));

  test('what was written is read back, whole and in any range', async () => {
    const [store, at, bytes] = [open(), key(), randomBytes(300_000)];
    await store.write(at, bytes);
    expect((await all(store, at, bytes.length)).equals(bytes)).toBe(true);
    for (const [start, end] of [
      [0, 1],
      [65_535, 65_537],
      [299_999, 300_000],
      [1, 300_000],
    ] as const) {
      const part = await buffer(await store.read(at, { start, end }));
      expect(part.equals(bytes.subarray(start, end))).toBe(true);
    }
  });

  test('a blob of 20 MB, and fifty at the same time', async () => {
    const store = open();
    const big = randomBytes(20_000_000);
    await store.write('p-big/blob', big);
    expect((await all(store, 'p-big/blob', big.length)).equals(big)).toBe(true);
    const many = Array.from({ length: 50 }, () => ({ at: key(), bytes: randomBytes(2_000) }));
    await Promise.all(many.map(({ at, bytes }) => store.write(at, bytes)));
    for (const { at, bytes } of many) expect((await all(store, at, bytes.length)).equals(bytes)).toBe(true);
  });

  /** More than S3 takes in one part, in pieces that end nowhere in particular. */
  async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 77_777) {
      await Promise.resolve();
      yield bytes.subarray(at, at + 77_777);
    }
  }
  const everything = async (store: BlobStore) =>
    (await gather(store.list('p-stream/'))).map(({ key }) => key);

  test.each([0, 5, 300_000, 8 * 1024 * 1024, 19_000_000])(
    'a stream of %s bytes can be read once it is published, whole or in a range',
    async (size) => {
      const [store, at, bytes] = [open(), key(), randomBytes(size)];
      const arrived = await store.writeStream(at, pieces(bytes));
      expect(await store.exists(at)).toBe(false);
      await arrived.publish();
      expect(await store.exists(at)).toBe(true);
      if (size === 0) return;
      expect((await all(store, at, size)).equals(bytes)).toBe(true);
      const part = await buffer(await store.read(at, { start: size - 3, end: size }));
      expect(part.equals(bytes.subarray(size - 3))).toBe(true);
    },
  );

  test.each([100_000, 19_000_000])('a stream of %s bytes that is discarded leaves nothing', async (size) => {
    const store = open();
    const arrived = await store.writeStream('p-stream/discarded', pieces(randomBytes(size)));
    await arrived.discard();
    await arrived.discard();
    expect(await everything(store)).toEqual([]);
  });

  test.each([100_000, 19_000_000])(
    'a stream whose source fails after %s bytes leaves nothing, and says why',
    async (size) => {
      const store = open();
      async function* failing(): AsyncGenerator<Buffer> {
        yield* pieces(randomBytes(size));
        throw new Error('the client went away');
      }
      await expect(store.writeStream('p-stream/failed', failing())).rejects.toThrow('the client went away');
      expect(await everything(store)).toEqual([]);
    },
  );

  test('writing the same again is harmless, removing twice too, and what is gone is missing', async () => {
    const [store, at, bytes] = [open(), key(), Buffer.from('same')];
    await store.write(at, bytes);
    await store.write(at, bytes);
    expect(await store.exists(at)).toBe(true);
    await store.remove(at);
    await store.remove(at);
    expect(await store.exists(at)).toBe(false);
    await expect(store.read(at, { start: 0, end: 4 })).rejects.toBeInstanceOf(BlobMissing);
  });

  test('a folder is listed and removed alone: not the one whose name it starts', async () => {
    const store = open();
    const project = `p-${randomUUID()}`;
    for (const name of ['1/a', '1/deep/b', '10/c'])
      await store.write(`${project}/threads/${name}`, Buffer.from(name));
    const found = await gather(store.list(`${project}/threads/1/`));
    expect(found.map((entry) => entry.key).sort()).toEqual([
      `${project}/threads/1/a`,
      `${project}/threads/1/deep/b`,
    ]);
    expect(found.every((entry) => entry.bytes > 0)).toBe(true);
    await store.removeAll(`${project}/threads/1/`);
    await store.removeAll(`${project}/threads/1/`);
    expect((await gather(store.list(`${project}/`))).map((entry) => entry.key)).toEqual([
      `${project}/threads/10/c`,
    ]);
  });

  test.each([
    '../outside',
    '/etc/passwd',
    'a/../../b',
    'a//b',
    'a\0b',
    '',
    'a/./b',
    'ü/x',
    '.',
    'x'.repeat(2_000),
    '.tmp/half-written',
    'p/.hidden',
  ])('the key %j is refused', async (at) => {
    await expect(async () => open().write(at, Buffer.from('x'))).rejects.toThrow('is not a blob key');
  });

  test('a range that ends beyond the blob gives what there is, one that starts there is refused', async () => {
    const [store, at, bytes] = [open(), key(), randomBytes(1_000)];
    await store.write(at, bytes);
    const part = await buffer(await store.read(at, { start: 900, end: 5_000 }));
    expect(part.equals(bytes.subarray(900))).toBe(true);
    for (const start of [1_000, 5_000])
      await expect(store.read(at, { start, end: 9_000 })).rejects.toBeInstanceOf(BeyondBlob);
    const longer = { key: at, bytes: 100_000, chunkHashes: hashChunks(randomBytes(100_000)) };
    await expect(gather(readVerified(store, longer, { start: 70_000, end: 70_001 }))).rejects.toBeInstanceOf(
      BlobCorrupt,
    );
  });

  test('a listing goes on when what it lists is removed', async () => {
    const store = open();
    const project = `p-${randomUUID()}`;
    for (let i = 0; i < 60; i++) await store.write(`${project}/threads/${i}/outputs/x`, Buffer.from('x'));
    const listed: string[] = [];
    for await (const { key: found } of store.list(`${project}/`)) {
      if (listed.push(found) === 1) await store.removeAll(`${project}/threads/`);
    }
    expect(listed.length).toBeGreaterThan(0);
  });

  test('a read that is given up leaves the store working', async () => {
    const [store, at, bytes] = [open(), key(), randomBytes(3_000_000)];
    await store.write(at, bytes);
    for (let i = 0; i < 60; i++) (await store.read(at, { start: 0, end: bytes.length })).destroy();
    expect((await all(store, at, bytes.length)).equals(bytes)).toBe(true);
  });

  test.each([
    ['a bit', (bytes: Buffer) => bytes.with(100_000, bytes[100_000]! ^ 1)],
    ['a lost end', (bytes: Buffer) => bytes.subarray(0, 150_000)],
  ])('%s that changed is found before any of its chunk is given', async (_what, damage) => {
    const [store, at, bytes] = [open(), key(), randomBytes(200_000)];
    const blob = { key: at, bytes: bytes.length, chunkHashes: hashChunks(bytes) };
    await store.write(at, bytes);
    const read = async (start: number, end: number) =>
      Buffer.concat(await gather(readVerified(store, blob, { start, end })));
    expect((await read(0, 200_000)).equals(bytes)).toBe(true);
    expect((await read(70_000, 70_001)).equals(bytes.subarray(70_000, 70_001))).toBe(true);
    await store.remove(at);
    await store.write(at, Buffer.from(damage(bytes)));
    expect((await read(0, 60_000)).equals(bytes.subarray(0, 60_000))).toBe(true);
    await expect(read(0, 200_000)).rejects.toBeInstanceOf(BlobCorrupt);
  });

  test('trying to write leaves nothing', async () => {
    const store = open();
    await store.tryWrite();
    expect(await store.exists('write-check')).toBe(false);
  });

  test('storage that is gone is an error, and no wait without end', { timeout: 60_000 }, async () => {
    const store = open();
    await break_();
    await expect(store.write(key(), Buffer.from('x'))).rejects.toThrow();
    await expect(store.tryWrite()).rejects.toThrow();
    await expect(store.writeStream(key(), pieces(randomBytes(9_000_000)))).rejects.toThrow();
  });
}
