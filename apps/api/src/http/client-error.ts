import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemOf, SpillwayError } from '@spillway/service';
import { v7 as uuidV7 } from 'uuid';

const byCode: Partial<Record<string, SpillwayError>> = {
  HPE_HEADER_OVERFLOW: new SpillwayError('headers_too_large', 'The headers are larger than 16 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: new SpillwayError('request_timeout', 'The request did not arrive in time.'),
};
const notHttp = new SpillwayError('bad_http', 'The request is not valid HTTP/1.1.');

/** Answers requests that Node's parser rejected, and closes the connection: the rest of it cannot be trusted. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // A client that opened a connection ahead would take an answer for that of its next request.
  const isUnused = socket.bytesRead === 0;
  if (isUnused || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(byCode[error.code ?? ''] ?? notHttp, uuidV7());
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${problem.request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
