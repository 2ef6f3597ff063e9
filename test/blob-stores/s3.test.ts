import { s3BlobStore } from '@spillway/blobs';
import { startS3, type S3Server } from '@spillway/testing';
import { afterAll, beforeAll, describe } from 'vitest';
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
