import type { ServerResponse } from 'node:http';

/** Aborted when the client hung up before it was answered: what it asked for need not be finished. */
export function whenAbandoned(response: ServerResponse): AbortSignal {
  const abandoned = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abandoned.abort();
  });
  return abandoned.signal;
}
