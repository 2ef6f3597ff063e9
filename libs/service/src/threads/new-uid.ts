import { randomFillSync } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

/** Bytes of randomness that one id takes. */
const each = 16;
const pool = new Uint8Array(256 * each);
let used = pool.length;

/** Every append makes one, in case its thread is new; randomness for one at a time takes twenty times as long. */
function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.subarray(used, (used += each));
}

/** An internal id of a thread: random, and in the order of time, so that new rows are beside each other in an index. */
export const newUid = (): string => uuidV7({ random: random() });
