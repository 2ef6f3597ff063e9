import type { Readable } from 'node:stream';

export interface BlobEntry {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/** A blob that is complete and not yet readable. */
export interface ArrivedBlob {
  /** Publishes the blob under its key. Durable when it returns: whole or not at all. */
  publish(): Promise<void>;
  /** Discards the bytes. Idempotent. */
  discard(): Promise<void>;
}

/** A store of bytes by key. It knows nothing about their meaning, which committed rows define. */
export interface BlobStore {
  /** Durable when it returns: whole or not at all. Writing the same bytes under the same key again is harmless. */
  write(key: string, bytes: Buffer): Promise<void>;
  /**
   * Receives bytes of unknown length with bounded memory. They become readable when the result is published. An error
   * of the source or the storage leaves nothing behind. Of one of many that `waits` for the others before it is
   * published nothing stays in memory.
   */
  writeStream(key: string, bytes: AsyncIterable<Buffer>, options?: { waits?: boolean }): Promise<ArrivedBlob>;
  /**
   * Bytes start..end, end excluded; fewer when the blob ends before. Throws `BlobMissing` when there is no such blob,
   * and `BeyondBlob` when it ends before `start`.
   */
  read(key: string, range: { start: number; end: number }): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** Idempotent, so that a sweep may be repeated. */
  remove(key: string): Promise<void>;
  /** Everything whose key starts with `prefix`, which ends with a slash. */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** Writes a few bytes that no key names and discards them. Throws what a write would throw. */
  tryWrite(): Promise<void>;
  /** Removes remains of unfinished writes from before that time. */
  removeUnfinished(olderThan: Date): Promise<void>;
  /** Removes all of them; safe to repeat. */
  removeAll(prefix: string): Promise<void>;
  /** Calls that keep a thread of this process until they return. */
  openCalls(): OpenCalls;
}

export interface OpenCalls {
  all: number;
  /** Those that take so long that their callers have given up. */
  late: number;
}

/** The blob of a row is missing. */
export class BlobMissing extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} is missing.`);
    this.name = 'BlobMissing';
  }
}

/** The bytes are not those that were written. They are never returned. */
export class BlobCorrupt extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} does not hold the bytes that were written.`);
    this.name = 'BlobCorrupt';
  }
}

/** The blob is shorter than the first requested byte. */
export class BeyondBlob extends Error {
  constructor(readonly key: string) {
    super(`Blob ${key} ends before the range.`);
    this.name = 'BeyondBlob';
  }
}

/**
 * Refuses keys that could leave the store, name a folder or a hidden file (a store's own files are hidden). Keys are
 * made by layout.ts; this is the last check.
 */
export function checkKey(key: string): string {
  const parts = key.replace(/\/$/, '').split('/');
  const isPlain = parts.every((part) => /^[\w-][\w.-]{0,199}$/.test(part));
  if (!isPlain || key.length > 1_000)
    throw new Error(`${JSON.stringify(key.slice(0, 80))} is not a blob key.`);
  return key;
}
