export * from './errors.js';
export type { EventsOptions, SpillwayEvent } from './events.js';
export { Outputs, type GrepOptions, type ReadOptions } from './outputs.js';
export type { components, operations, paths } from './schema.js';
export { Spillway, type ProjectSearchOptions, type ThreadsOptions } from './spillway.js';
export {
  Thread,
  type Appended,
  type AppendedWithContext,
  type AppendOptions,
  type Context,
  type ContextOptions,
  type ExportOptions,
  type Format,
  type Message,
  type MessagesOptions,
  type NextContextOptions,
  type ForkOptions,
  type RewindOptions,
  type SearchOptions,
  type ThreadOptions,
  type UploadOptions,
} from './thread.js';
export type { Call, CallOptions, Query, SpillwayOptions } from './transport.js';

import type { components } from './schema.js';

/** Every schema of the API by name. */
export type Schemas = components['schemas'];
