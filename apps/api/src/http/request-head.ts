import type { IncomingMessage } from 'node:http';
import { maxUrl } from '@spillway/contracts';
import { SpillwayError } from '@spillway/service';
import type { FastifyRequest } from 'fastify';
import { isGivenUp } from './refused-body.js';

/** Far more than any client sends. Node itself limits the bytes (16 KiB). */
const maxHeaders = 100;

/** How often a header came. Raw headers are names and values in turns. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i]!;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

function isDecodable(query: string): boolean {
  if (!query.includes('%')) return true;
  try {
    // Its value is used: the bundler drops a call without use, as if it could not throw.
    return decodeURIComponent(query).length > 0;
  } catch {
    return false;
  }
}

const contextPath = /^\/v1\/threads\/[^/?]+\/context\?/;

/** HTTP/1.1 requires the header, and that a request without it is refused. */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === '1.1';

/** Refuses a request whose head is ambiguous, too long, or names an encoding that nobody here decodes. */
export function checkHead(request: FastifyRequest): void {
  const { rawHeaders, headers, url = '', socket } = request.raw;
  if (lacksHost(request.raw))
    throw new SpillwayError('bad_http', 'A request of HTTP/1.1 must have the header Host.');
  if (isGivenUp(socket)) throw new SpillwayError('bad_http', 'This connection is being closed.');
  if (url.length > maxUrl) {
    const hint = contextPath.test(url) ? ' POST to the same path takes these options as JSON.' : '';
    throw new SpillwayError('uri_too_long', `The URL is longer than ${maxUrl} bytes.${hint}`);
  }
  // Read on, such bytes would stand for their own escapes: another text than the client has.
  if (!isDecodable(url.slice(url.indexOf('?') + 1)))
    throw new SpillwayError('malformed_json', 'The query of the URL is not percent-encoded UTF-8.');
  if (rawHeaders.length / 2 > maxHeaders) {
    throw new SpillwayError('headers_too_large', `There are more than ${maxHeaders} headers.`);
  }
  // Node uses the first of two and drops the other. A proxy may have checked the one that was dropped.
  if (countOf('authorization', rawHeaders) > 1)
    throw new SpillwayError('unauthorized', 'Send one Authorization header.');
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new SpillwayError(
      'unsupported_media_type',
      'Send the body uncompressed, without Content-Encoding.',
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new SpillwayError('unsupported_media_type', 'Send the body in UTF-8.');
  }
}
