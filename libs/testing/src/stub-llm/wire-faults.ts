import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** What can go wrong with an answer after the model made it. */
export type WireFault =
  | 'hang-before-headers'
  | 'hang-mid-body'
  /** One byte a second. */
  | 'drip'
  /** RST before any byte. */
  | 'reset'
  /** RST in the middle of the body. */
  | 'reset-mid-body'
  | 'truncated-json'
  /** 200 with no body. */
  | 'no-body'
  /** 100 MB, then the end. */
  | 'huge-body'
  | 'endless-body'
  /** A hundred kilobytes that inflate to 100 MB. */
  | 'gzip-bomb'
  | 'wrong-content-type';

const megabyte = 1024 * 1024;

/** Sends `body` the way `fault` says; returns when the answer is over, or when the caller hung up. */
export async function sendFaulty(
  response: ServerResponse,
  head: { status: number; headers: Record<string, string> },
  body: string,
  fault: WireFault,
): Promise<void> {
  const half = body.slice(0, body.length / 2);
  const begin = (headers: Record<string, string> = {}) =>
    response.writeHead(head.status, { ...head.headers, ...headers });
  switch (fault) {
    case 'hang-before-headers':
      return;
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'hang-mid-body':
      return void begin({ 'content-length': `${Buffer.byteLength(body)}` }).write(half);
    case 'reset-mid-body':
      begin({ 'content-length': `${Buffer.byteLength(body)}` }).write(half);
      await sleep(50); // Lets the half arrive: a RST may overtake what is still in the socket.
      return void response.socket?.resetAndDestroy();
    case 'drip':
      begin();
      for (const character of body) {
        if (response.destroyed) return;
        response.write(character);
        await sleep(1000, undefined, { ref: false });
      }
      return void response.end();
    case 'truncated-json':
      return void begin().end(half);
    case 'no-body':
      return void begin().end();
    case 'huge-body':
      begin();
      return pour(response, 100);
    case 'endless-body':
      begin();
      return pour(response, Infinity);
    case 'gzip-bomb':
      return void begin({ 'content-encoding': 'gzip' }).end(bomb());
    case 'wrong-content-type':
      return void begin({ 'content-type': 'text/html' }).end(`<html><body>${body}</body></html>`);
  }
}

/** Garbage that starts like an answer, as fast as the caller takes it. */
async function pour(response: ServerResponse, megabytes: number): Promise<void> {
  response.write('{"id":"stub","choices":[{"message":{"content":"');
  const block = Buffer.alloc(megabyte, 'x');
  for (let sent = 0; sent < megabytes && !response.destroyed; sent++)
    if (!response.write(block))
      await new Promise<void>((resolve) => {
        const on = () => {
          response.off('drain', on).off('close', on);
          resolve();
        };
        response.on('drain', on).on('close', on);
      });
  response.end('"}}]}');
}

let packed: Buffer | null = null;
const bomb = (): Buffer =>
  (packed ??= gzipSync(
    Buffer.concat([
      Buffer.from('{"choices":[{"message":{"content":"'),
      Buffer.alloc(100 * megabyte, 'x'),
      Buffer.from('"}}]}'),
    ]),
  ));
