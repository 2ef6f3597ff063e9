import type { Readable } from 'node:stream';

/** Bytes under a random key. Nothing here knows what they are; a committed row elsewhere gives them meaning. */
export interface BlobStore {
  /** Durable when it returns. A key is written once. */
  write(key: string, bytes: Buffer): Promise<void>;
  /** Bytes start..end, end excluded. Throws `BlobMissing` when there is no such blob. */
  read(key: string, range: { start: number; end: number }): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** No error when it is gone already, so that a sweep may be repeated. */
  remove(key: string): Promise<void>;
}

/** The bytes that a row promises are not there. */
export class BlobMissing extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} is missing.`);
    this.name = 'BlobMissing';
  }
}
