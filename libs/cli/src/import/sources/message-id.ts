import { createHash } from 'node:crypto';
import type { JsonObject } from './json-value.js';

/** Ids that the API takes for messages. */
const allowed = /^[A-Za-z0-9._:@-]{1,180}$/;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** The source's own id, or a digest of one that the API does not take. */
export const idFromSource = (id: string): string => (allowed.test(id) ? id : `id-${digest(id)}`);

/** The id of a message without one: the same message at the same position has the same id in a longer file. */
export const idFromPosition = (index: number, message: JsonObject): string =>
  `at-${index}-${digest(JSON.stringify(message))}`;
