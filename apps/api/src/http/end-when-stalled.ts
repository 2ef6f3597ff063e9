import type { ServerResponse } from 'node:http';

/**
 * Ends a download whose client takes nothing for so long: it would hold the file or the connection that the bytes come
 * from. Nothing is expected of the client while the server itself has no bytes for it yet.
 */
export function endWhenStalled(response: ServerResponse, ms: number): void {
  response.setTimeout(ms, () => {
    if (response.socket?.writableLength) response.destroy();
    else response.setTimeout(ms);
  });
}
