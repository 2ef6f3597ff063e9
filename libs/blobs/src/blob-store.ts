import type { Readable } from 'node:stream';

export interface BlobEntry {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** A blob whose bytes have arrived and that nobody can read yet. */
export interface ArrivedBlob {
  /** Puts the bytes under their key. Durable when it returns: whole or not at all. */
  publish(): Promise<void>;
  /** Removes the bytes. No error when they are gone already. */
  discard(): Promise<void>;
}

/** Bytes under a key. Nothing here knows what they are; a committed row elsewhere gives them meaning. */
export interface BlobStore {
  /** Durable when it returns: whole or not at all. Writing the same bytes under the same key again is harmless. */
  write(key: string, bytes: Buffer): Promise<void>;
  /**
   * Takes bytes of unknown length, with memory for a part of them. They can be read once the answer is published. An
   * error of the source, or of the storage, leaves nothing behind.
   */
  writeStream(key: string, bytes: AsyncIterable<Buffer>): Promise<ArrivedBlob>;
  /**
   * Bytes start..end, end excluded; fewer when the blob ends before. Throws `BlobMissing` when there is no such blob,
   * and `BeyondBlob` when it ends before `start`.
   */
  read(key: string, range: { start: number; end: number }): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** No error when it is gone already, so that a sweep may be repeated. */
  remove(key: string): Promise<void>;
  /** Everything whose key starts with `prefix`, which ends with a slash. */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** Removes what a write that never ended left behind before that time. */
  removeUnfinished(olderThan: Date): Promise<void>;
  /** Removes all of that; safe to repeat. */
  removeAll(prefix: string): Promise<void>;
}

/** The bytes that a row promises are not there. */
export class BlobMissing extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} is missing.`);
    this.name = 'BlobMissing';
  }
}

/** The bytes that are there are not those that were written. They are not given to anyone. */
export class BlobCorrupt extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} does not hold the bytes that were written.`);
    this.name = 'BlobCorrupt';
  }
}

/** The blob is shorter than the first byte that was asked for. */
export class BeyondBlob extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} ends before the range.`);
    this.name = 'BeyondBlob';
  }
}

/**
 * Refuses keys that could leave the store or name a folder, and hidden ones: a store's own files are hidden. Ours are
 * made by layout.ts; this is the last door.
 */
export function checkKey(key: string): string {
  const parts = key.replace(/\/$/, '').split('/');
  const isPlain = parts.every((part) => /^[\w-][\w.-]{0,199}$/.test(part));
  if (!isPlain || key.length > 1_000) throw new Error(`${JSON.stringify(key.slice(0, 80))} is no blob key.`);
  return key;
}
