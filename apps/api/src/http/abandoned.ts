import type { ServerResponse } from 'node:http';

/** Aborted when the client disconnects before the response, so that its work can stop. */
export function whenAbandoned(response: ServerResponse): AbortSignal {
  const abandoned = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abandoned.abort();
  });
  return abandoned.signal;
}
