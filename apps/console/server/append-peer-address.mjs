import { subscribe } from 'node:diagnostics_channel';

/**
 * Appends the address of the connection to X-Forwarded-For of each request before Next reads it, as a proxy does. Next
 * itself sets the header only where a request has none, so a browser could choose the address that the API sees.
 */
subscribe('http.server.request.start', (message) => {
  const { headers, socket } = message.request;
  const before = headers['x-forwarded-for'];
  const peer = socket.remoteAddress ?? 'unknown';
  headers['x-forwarded-for'] = before ? `${before}, ${peer}` : peer;
});
