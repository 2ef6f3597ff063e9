import { s3BlobStore } from '@spillway/blobs';
import { startS3, type S3Server } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { conformance } from './conformance.js';

let server: S3Server;
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server?.stop());

describe('blobs in S3', () => {
  conformance(
    () => s3BlobStore({ ...server, prefix: 'some/prefix/' }),
    () => server.stop(),
  );
});

test('bodies that nobody takes leave connections to writes', async () => {
  const own = await startS3();
  onTestFinished(() => own.stop());
  const store = s3BlobStore({ ...own, prefix: 'stalled/' });
  await store.write('large', Buffer.alloc(16 * 1024 * 1024));
  const range = { start: 0, end: 16 * 1024 * 1024 };
  const stalled = await Promise.all(Array.from({ length: 60 }, () => store.read('large', range)));
  await store.write('small', Buffer.from('written'));
  expect(await store.exists('small')).toBe(true);
  for (const body of stalled) body.destroy();
});
