import type { IncomingMessage } from 'node:http';

/** A client that is still sending sees our answer only if we read on; past this we answer and hang up. */
const mostBytes = 64 * 1024 * 1024;
const longestMs = 5_000;

/** Reads and drops the rest of a body that was refused, within bounds, so that the refusal reaches who sent it. */
export function readOn(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = mostBytes;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done).off('error', done);
      resolve();
    };
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    };
    const timer = setTimeout(done, longestMs);
    request.on('data', count).on('end', done).on('close', done).on('error', done).resume();
  });
}
