import { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { BeyondBlob, BlobMissing, checkKey, type BlobStore } from '../blob-store.js';
import { writeInParts } from './s3-parts.js';

export interface S3Settings {
  bucket: string;
  /** Prefix of every key; empty, or ending with a slash. */
  prefix: string;
  region?: string;
  /** For S3-compatible stores other than Amazon's; then buckets are paths and not host names. */
  endpoint?: string;
  /** Default: the SDK's credential chain (environment, profile, role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** A request that hangs is aborted, so that an append is refused instead of never answered. */
const requestTimeoutMs = 30_000;
const connectionTimeoutMs = 5_000;
/** Maximum of connections for bodies that are read: each lasts as long as whoever reads it takes. */
const maxReads = 512;
const removedAtOnce = 1_000;

/** Blobs as objects of a bucket. An object appears whole or not at all; a put is durable when it is acknowledged. */
export function s3BlobStore({ bucket, prefix, ...reach }: S3Settings): BlobStore {
  const sdk = lazily(() => import('@aws-sdk/client-s3'));
  const client = lazily(async () => connect(await sdk(), reach));
  // Connections of its own: readers that stall would leave none to writes.
  const reader = lazily(async () => connect(await sdk(), reach, maxReads));
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + checkKey(key) });

  async function write(key: string, bytes: Buffer): Promise<void> {
    const { PutObjectCommand } = await sdk();
    await (await client()).send(new PutObjectCommand({ ...at(key), Body: bytes }));
  }

  async function* list(under: string) {
    const { ListObjectsV2Command } = await sdk();
    const Prefix = prefix + checkKey(under);
    let ContinuationToken: string | undefined;
    do {
      const page = await (
        await client()
      ).send(new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }));
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? [])
        yield { key: Key.slice(prefix.length), bytes: Size, modifiedAt: LastModified };
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  return {
    write,

    writeStream: async (key, bytes, { waits = false } = {}) =>
      writeInParts(
        { sdk: await sdk(), client: await client(), at: at(key) },
        bytes,
        waits ? null : (small) => write(key, small),
      ),

    async read(key, { start, end }) {
      const { GetObjectCommand } = await sdk();
      const asked = new GetObjectCommand({ ...at(key), Range: `bytes=${start}-${end - 1}` });
      const answer = await (await reader()).send(asked).catch(missing(key));
      const body = answer.Body as Readable;
      if (answer.ContentLength === end - start) return body;
      const from = Number(/^bytes (\d+)-/.exec(answer.ContentRange ?? '')?.[1] ?? 0);
      if (start - from >= (answer.ContentLength ?? Infinity)) {
        body.destroy();
        throw new BeyondBlob(key);
      }
      return Readable.from(within(body, start - from, end - from));
    },

    async exists(key) {
      const { HeadObjectCommand } = await sdk();
      try {
        await (await client()).send(new HeadObjectCommand(at(key)));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },

    async remove(key) {
      const { DeleteObjectCommand } = await sdk();
      await (await client()).send(new DeleteObjectCommand(at(key)));
    },

    list,

    // A part that is never completed: also in a bucket that keeps versions it leaves none.
    async tryWrite() {
      const target = { sdk: await sdk(), client: await client(), at: at('write-check') };
      await (await writeInParts(target, Readable.from([Buffer.from('.')]), null)).discard();
    },

    // A lifecycle rule of the bucket removes the parts of uploads whose process died (docs/configuration.md).
    removeUnfinished: () => Promise.resolve(),

    // Requests wait in the event loop, which an exit leaves.
    openCalls: () => ({ all: 0, late: 0 }),

    async removeAll(under) {
      const { DeleteObjectsCommand } = await sdk();
      let keys: string[] = [];
      const flush = async () => {
        if (keys.length === 0) return;
        const Objects = keys.map((key) => ({ Key: prefix + key }));
        const done = await (
          await client()
        ).send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
        if (done.Errors?.length) throw new Error(`${done.Errors.length} objects could not be removed.`);
        keys = [];
      };
      for await (const { key } of list(under)) {
        if (keys.push(key) === removedAtOnce) await flush();
      }
      await flush();
    },
  };
}

/** A server may ignore a Range, or its end, and send more; then the range is cut here. */
async function* within(body: AsyncIterable<Buffer>, start: number, end: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of body) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (part.length > 0) yield part;
    at += chunk.length;
    if (at >= end) return;
  }
}

/** The SDK is large: a process that stores on disk does not load it. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function connect(
  sdk: typeof Sdk,
  { region, endpoint, credentials }: Pick<S3Settings, 'region' | 'endpoint' | 'credentials'>,
  maxSockets = 50,
): Sdk.S3Client {
  const agent = { keepAlive: true, maxSockets };
  return new sdk.S3Client({
    // Retries are left to the caller: an append is refused with 503, and the client retries.
    maxAttempts: 2,
    requestHandler: {
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      connectionTimeout: connectionTimeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Other stores support few of the newer checksums; ours are in the row.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}

const isMissing = (error: unknown): boolean => {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  // A missing bucket is a configuration error, not a missing blob.
  if (name === 'NoSuchBucket') return false;
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404;
};

const missing =
  (key: string) =>
  (error: unknown): never => {
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    if (name === 'InvalidRange' || $metadata?.httpStatusCode === 416) throw new BeyondBlob(key);
    throw isMissing(error) ? new BlobMissing(key) : error;
  };
