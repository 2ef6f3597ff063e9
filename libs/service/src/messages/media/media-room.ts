import { AsyncLocalStorage } from 'node:async_hooks';
import { SpillwayError } from '@spillway/engine';
import { FairShare } from '../../operations/fair-share.js';

/**
 * Maximum bytes of media that this process restores at a time: two of the largest contexts. Each byte is there several
 * times until the answer is written: as read, in base64, as JSON.
 */
const maxBytes = 48_000_000;
/** Maximum of contexts of one project that wait. What they have read of their messages is in memory. */
const maxWaiting = 64;

const room = new FairShare(maxBytes);

/** What a piece of work has taken. */
interface Held {
  bytes: number;
  releases: (() => void)[];
}
const works = new AsyncLocalStorage<Held>();

/**
 * Runs work that reads a context, and keeps what its media take until it is over: it ends with what is written of the
 * context, as bytes of an answer or of a request. Within such work it changes nothing.
 */
export async function withMediaRoom<T>(work: () => Promise<T>): Promise<T> {
  if (works.getStore()) return work();
  const held: Held = { bytes: 0, releases: [] };
  try {
    return await works.run(held, work);
  } finally {
    for (const release of held.releases) release();
  }
}

/**
 * Waits until there is room for the media of a context, in turns with other projects. Work that has room already and
 * needs more does not wait: others could wait for what it holds. Throws `too_many_requests` when too many contexts of
 * the project wait.
 */
export async function takeMediaRoom(projectId: string, bytes: number): Promise<void> {
  const held = works.getStore();
  if (!held || bytes <= held.bytes) return;
  const isFirst = held.bytes === 0;
  held.bytes = bytes;
  if (!isFirst) return;
  if (room.waitingOf(projectId) >= maxWaiting)
    throw new SpillwayError(
      'too_many_requests',
      `${maxWaiting} contexts with files of this project wait already, which is its limit. Try again in 1 s.`,
    );
  held.releases.push(await room.take(projectId, bytes));
}
