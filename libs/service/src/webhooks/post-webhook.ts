import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { hostOf } from '../outbound/outbound-url.js';
import { isPublicAddress } from '../outbound/public-address.js';
import { PrivateAddress, publicLookup } from '../outbound/public-lookup.js';

/** Timeout of a receiver, from the DNS lookup to the end of its response. */
const maxMs = 10_000;
/** How much of a response is kept: enough to diagnose a failure. */
const keptBytes = 300;

export interface Posted {
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
  response: string | null;
}

/**
 * Posts a body to a URL and returns the response. Follows no redirects. Connects to public addresses only, unless the
 * host is allowed by name. The address is checked when the connection is made, so a DNS name that changes later does
 * not help an attacker.
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
      // A new connection: a reused one could lead to an address that was not checked.
      agent: false,
      signal: AbortSignal.any([late, stop]),
      ...(free ? {} : { lookup: publicLookup }),
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

async function beginningOf(answer: IncomingMessage): Promise<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    read = Buffer.concat([read, chunk]).subarray(0, keptBytes);
    if (read.length === keptBytes) break;
  }
  // Incomplete or invalid characters are replaced; Postgres accepts no NUL.
  return read.toString('utf8').replaceAll('\0', '');
}

/** One word: `timeout`, or Node's code (ECONNREFUSED, ENOTFOUND, the code of a TLS error). */
function reasonOf(error: Error & { code?: string }, late: AbortSignal): string {
  if (late.aborted) return 'timeout';
  if (error instanceof PrivateAddress) return error.message;
  return (error.code ?? error.name).slice(0, 100);
}
