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

/** Ids that the API takes for those of a caller. */
const ofCallers = /^(?!\.{1,2}$)[A-Za-z0-9._:@-]{1,200}$/;

/**
 * The id of an item of the Responses API whose own id is `own`. The own id stays in the item, of whatever form: the
 * provider made it and wants it back. The API takes one of the form of a caller's id as that of the message too, and
 * makes one from the key of the request for the other items. `withoutId` is the item without it.
 */
export const idOfItem = (
  own: string | null,
  index: number,
  withoutId: JsonObject,
): { id: string; hasOwnId: boolean } =>
  own !== null && ofCallers.test(own)
    ? { id: own, hasOwnId: true }
    : { id: `${idFromPosition(index, withoutId)}:0`, hasOwnId: false };
