import type { ServerResponse } from 'node:http';

/** Aborted when the client disconnects before the response, or has done so already, so that its work can stop. */
export function whenAbandoned(response: ServerResponse): AbortSignal {
  const abandoned = new AbortController();
  const stop = () => {
    if (!response.writableFinished) abandoned.abort();
  };
  if (response.destroyed) stop();
  else response.once('close', stop);
  return abandoned.signal;
}
