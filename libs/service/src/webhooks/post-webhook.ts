import { lookup, type LookupAddress } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';
import { hostOf } from './webhook-url.js';

/** How long a receiver may take, from the lookup of its name to the end of its answer. */
const maxMs = 10_000;
/** What is kept of an answer: enough to see what went wrong. */
const keptBytes = 300;

export interface Posted {
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
  response: string | null;
}

class PrivateAddress extends Error {}

/**
 * Posts a body to a URL and gives the answer. Follows no redirect. Connects to public addresses only, unless the host
 * is allowed by name: looked at as the connection is made, so a name that leads elsewhere by then does not help.
 */
export function postWebhook(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  allowed: ReadonlySet<string>,
  stop: AbortSignal,
): Promise<Posted> {
  const host = hostOf(url);
  const free = allowed.has(host);
  if (!free && isIP(host) && !isPublicAddress(host)) return Promise.resolve(noAnswer('private_address'));
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const late = AbortSignal.timeout(maxMs);
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve(noAnswer(reasonOf(error, late)));
    const sent = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Spillway-Webhooks/1',
        ...headers,
      },
      // A connection of its own: one that was kept could lead where nobody looked.
      agent: false,
      signal: AbortSignal.any([late, stop]),
      ...(free ? {} : { lookup: publicOnly }),
    });
    sent.once('error', failed);
    sent.once('response', (answer) => {
      beginningOf(answer).then((response) => {
        resolve({ status: answer.statusCode ?? null, error: null, response });
        sent.destroy();
      }, failed);
    });
    sent.end(body);
  });
}

const noAnswer = (error: string): Posted => ({ status: null, error, response: null });

const publicOnly: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    if (found.some(({ address }) => !isPublicAddress(address))) {
      return callback(new PrivateAddress('private_address'), '', 0);
    }
    if (options.all) return callback(null, found);
    const [first] = found;
    callback(null, first!.address, first!.family);
  });
};

async function beginningOf(answer: IncomingMessage): Promise<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    read = Buffer.concat([read, chunk]).subarray(0, keptBytes);
    if (read.length === keptBytes) break;
  }
  // A character that was cut, or is none, becomes a mark; Postgres takes no NUL.
  return read.toString('utf8').replaceAll('\0', '');
}

/** In a word: `timeout`, or what Node calls it (ECONNREFUSED, ENOTFOUND, a TLS error's code). */
function reasonOf(error: Error & { code?: string }, late: AbortSignal): string {
  if (late.aborted) return 'timeout';
  if (error instanceof PrivateAddress) return error.message;
  return (error.code ?? error.name).slice(0, 100);
}
