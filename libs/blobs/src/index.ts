export * from './blob-store.js';
export * from './blob-stores/disk.js';
export * from './blob-stores/s3.js';
export type { GrepMatch } from './grep/found-lines.js';
export * from './grep/grep.js';
export * from './layout.js';
export * from './line-index.js';
export * from './lines.js';
export * from './verified.js';
