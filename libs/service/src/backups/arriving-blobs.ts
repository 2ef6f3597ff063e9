import { createHash } from 'node:crypto';
import { originalKeyOf, outputKey, type ArrivedBlob } from '@spillway/blobs';
import { z } from 'zod';
import type { Runtime } from '../runtime.js';
import { refuseBackup, type BlobPart, type BytesLine, type MissingLine } from './backup-line.js';
import type { LineReader } from './line-reader.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.number().int().min(0);

/** What has to be known of the row of an output before its bytes arrive. */
const outputRow = z.object({
  id: z.string().regex(/^out_[0-9a-f]{32}$/),
  state: z.enum(['ready', 'deleting', 'deleted', 'corrupt']),
  bytes: size,
  sha256: z.union([hash, z.literal('')]),
  original_bytes: size.nullable().optional(),
  original_sha256: hash.nullable().optional(),
});

interface ExpectedBlob {
  key: string;
  bytes: number;
  sha256: string;
}

interface ExpectedOutput {
  key: string;
  state: 'ready' | 'deleted' | 'corrupt';
  /** Blobs that have to arrive. */
  blobs: Map<BlobPart, ExpectedBlob>;
  hasOriginal: boolean;
}

/** The bytes of the outputs of a backup: checked as they arrive, and readable only when all of it is. */
export class ArrivingBlobs {
  private readonly outputs = new Map<string, ExpectedOutput>();
  private readonly arrived = new Map<string, ArrivedBlob>();
  private published: string[] = [];
  missing = 0;

  constructor(
    private readonly rt: Runtime,
    private readonly of: { projectId: string; threadUid: string },
  ) {}

  /** Notes the row of an output. Throws `invalid_request`. */
  expect(row: Readonly<Record<string, unknown>>): void {
    const { success, data } = outputRow.safeParse(row);
    if (!success) return refuseBackup('the row of an output is not valid.');
    if (this.outputs.has(data.id)) return refuseBackup(`the output ${data.id} is there twice.`);
    const key = outputKey(this.of.projectId, this.of.threadUid);
    const blobs = new Map<BlobPart, ExpectedBlob>();
    const hasOriginal = typeof data.original_sha256 === 'string';
    if (data.state === 'ready') {
      blobs.set('text', { key, bytes: data.bytes, sha256: data.sha256 });
      if (hasOriginal)
        blobs.set('original', {
          key: originalKeyOf(key),
          bytes: data.original_bytes ?? 0,
          sha256: data.original_sha256!,
        });
    }
    const state = data.state === 'deleting' ? 'deleted' : data.state;
    this.outputs.set(data.id, { key, state, blobs, hasOriginal });
  }

  get count(): number {
    return this.outputs.size;
  }

  /** The columns of an output that are made anew. */
  columnsOf(id: string): Readonly<Record<string, unknown>> {
    const { key, state, hasOriginal } = this.outputs.get(id)!;
    return {
      state,
      blob_key: key,
      original_key: hasOriginal ? originalKeyOf(key) : null,
      ...(hasOriginal ? {} : { original_bytes: null, original_sha256: null }),
      folder_uid: null,
      delete_after: null,
      removal_attempts: 0,
    };
  }

  /** Takes all lines of the next blob. Throws `invalid_request` when its bytes are not those of its row. */
  async receive(reader: LineReader): Promise<void> {
    const { line } = await reader.peek();
    const { output, part } = line as BytesLine;
    const expected = this.outputs.get(output)?.blobs.get(part);
    if (!expected) return refuseBackup(`it has bytes of ${output} that no row of it names.`);
    if (this.arrived.has(expected.key)) return refuseBackup(`the bytes of ${output} are there twice.`);
    const sha256 = createHash('sha256');
    let bytes = 0;
    const pieces = async function* (): AsyncGenerator<Buffer> {
      for (;;) {
        const { line: next } = await reader.peek();
        if (next.type !== 'bytes' || next.output !== output || next.part !== part) return;
        await reader.take();
        const piece = Buffer.from(next.data, 'base64');
        bytes += piece.length;
        if (bytes > expected.bytes) refuseBackup(`${output} has more bytes than its row says.`);
        sha256.update(piece);
        yield piece;
      }
    };
    this.arrived.set(expected.key, await this.rt.blobs.writeStream(expected.key, pieces(), { waits: true }));
    const { line: after } = await reader.peek();
    // The bytes were found damaged while they were read: the next line says so.
    if (after.type === 'missing' && after.output === output && (after.part ?? part) === part) return;
    if (bytes !== expected.bytes || sha256.digest('hex') !== expected.sha256)
      refuseBackup(`the bytes of ${output} are not those that its row names.`);
  }

  /**
   * The bytes of an output were lost before the backup was made: it is restored as damaged. Where only its posted form
   * was lost, it is restored with its text alone.
   */
  async lose({ output: id, part }: MissingLine): Promise<void> {
    const output = this.outputs.get(id);
    if (output?.state !== 'ready')
      return refuseBackup(`it misses the bytes of ${id}, which no row of it names.`);
    if (part !== undefined && part !== 'original')
      return refuseBackup(`it misses a part of ${id} that no output has.`);
    for (const [of, { key }] of output.blobs) {
      if (part !== undefined && of !== part) continue;
      await this.arrived.get(key)?.discard();
      this.arrived.delete(key);
      output.blobs.delete(of);
    }
    output.hasOriginal = false;
    if (part !== undefined) return;
    output.state = 'corrupt';
    this.missing++;
  }

  /** Makes the bytes readable. Throws `invalid_request` when some did not arrive. */
  async publish(): Promise<void> {
    for (const [id, { blobs }] of this.outputs)
      for (const { key, bytes } of blobs.values()) {
        const blob = this.arrived.get(key);
        if (!blob && bytes > 0) refuseBackup(`the bytes of ${id} are missing.`);
        if (blob) await blob.publish();
        else await this.rt.blobs.write(key, Buffer.alloc(0));
        this.published.push(key);
      }
  }

  /** The rows are committed: of what arrived only the bytes of these outputs are discarded, which were there already. */
  keepBut(ids: readonly string[]): void {
    this.arrived.clear();
    this.published = ids.flatMap((id) => [...this.outputs.get(id)!.blobs.values()].map(({ key }) => key));
  }

  /** Removes what arrived, or what is not kept of it. Safe to repeat. */
  async discard(): Promise<void> {
    for (const blob of this.arrived.values()) await blob.discard();
    for (const key of this.published) await this.rt.blobs.remove(key);
    this.published = [];
  }
}
