export * from './blob-store.js';
export * from './blob-stores/disk.js';
export * from './grep.js';
export * from './layout.js';
export * from './line-index.js';
export * from './lines.js';
