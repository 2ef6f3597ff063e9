import type * as Sdk from '@aws-sdk/client-s3';
import type { ArrivedBlob } from '../blob-store.js';

/** Size of a part. S3 requires at least 5 MiB and at most 10,000 parts, so an object may have 78 GiB. */
const partBytes = 8 * 1024 * 1024;

interface Target {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
  at: { Bucket: string; Key: string };
}

/**
 * Uploads bytes of unknown length as the parts of one object, which appears when it is published. Keeps one part in
 * memory. A source shorter than one part stays there until it is published, and is written by `writeSmall` as an ordinary
 * object, in one request instead of three; without `writeSmall` it is a part, too.
 */
export async function writeInParts(
  target: Target,
  bytes: AsyncIterable<Buffer>,
  writeSmall: ((bytes: Buffer) => Promise<void>) | null,
): Promise<ArrivedBlob> {
  const parts = new Parts(target);
  let held: Buffer[] = [];
  let size = 0;
  const take = (): Buffer => {
    const part = Buffer.concat(held);
    held = [];
    size = 0;
    return part;
  };
  try {
    for await (const chunk of bytes) {
      held.push(chunk);
      size += chunk.length;
      if (size >= partBytes) await parts.send(take());
    }
    if (!parts.isStarted && writeSmall) {
      const whole = take();
      return { publish: () => writeSmall(whole), discard: () => Promise.resolve() };
    }
    if (size > 0 || !parts.isStarted) await parts.send(take());
  } catch (error) {
    await parts.abort();
    throw error;
  }
  return { publish: () => parts.complete(), discard: () => parts.abort() };
}

class Parts {
  private uploadId: string | undefined;
  private readonly sent: { ETag: string | undefined; PartNumber: number }[] = [];

  constructor(private readonly target: Target) {}

  get isStarted(): boolean {
    return this.uploadId !== undefined;
  }

  async send(part: Buffer): Promise<void> {
    const { sdk, client, at } = this.target;
    this.uploadId ??= (await client.send(new sdk.CreateMultipartUploadCommand(at))).UploadId;
    const PartNumber = this.sent.length + 1;
    const { ETag } = await client.send(
      new sdk.UploadPartCommand({ ...at, UploadId: this.uploadId, PartNumber, Body: part }),
    );
    this.sent.push({ ETag, PartNumber });
  }

  async complete(): Promise<void> {
    const { sdk, client, at } = this.target;
    await client.send(
      new sdk.CompleteMultipartUploadCommand({
        ...at,
        UploadId: this.uploadId,
        MultipartUpload: { Parts: this.sent },
      }),
    );
    this.uploadId = undefined;
  }

  /**
   * The storage may be unavailable, which may be why this runs: a lifecycle rule of the bucket removes the parts later.
   */
  async abort(): Promise<void> {
    if (this.uploadId === undefined) return;
    const { sdk, client, at } = this.target;
    const UploadId = this.uploadId;
    this.uploadId = undefined;
    await client.send(new sdk.AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined);
  }
}
