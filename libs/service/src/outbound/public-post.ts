import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { hostOf } from './outbound-url.js';
import type { Post } from './post.js';
import { isPublicAddress } from './public-address.js';
import { PrivateAddress, publicLookup } from './public-lookup.js';

type PostRequest = Parameters<Post>[1];

/**
 * To public addresses only: for URLs that a project named. Answers must not be compressed, so ask for `identity`; one that
 * is compressed all the same is an error.
 */
export const publicPost: Post = async (address, request) =>
  responseOf(await sendPublic(new URL(address), request));

/** To the addresses that a lookup finds. Addresses in the URL itself are not looked up. */
export const postOver =
  (lookup: LookupFunction): Post =>
  async (address, request) =>
    responseOf(await send(new URL(address), request, lookup));

/** Posts to a public address, and returns the answer as it comes. Throws `PrivateAddress` for any other. */
export async function sendPublic(url: URL, request: PostRequest): Promise<IncomingMessage> {
  const host = hostOf(url);
  // An address in the URL itself is not looked up.
  if (isIP(host) && !isPublicAddress(host)) throw new PrivateAddress();
  return send(url, request, publicLookup);
}

/** Posts a text, and returns the answer with its body unread. Names are resolved by `lookup`, or else as usual. */
export async function send(
  url: URL,
  { headers, body, signal }: PostRequest,
  lookup?: LookupFunction,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // A new connection: a reused one could lead to an address that was not checked.
    agent: false,
    signal,
    ...(lookup ? { lookup } : {}),
  });
  sent.on('error', reject);
  sent.once('response', resolve);
  sent.end(body);
  return promise;
}

/** Statuses whose answers have no body, as `Response` insists. */
const bodiless = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 502;
  const { location, 'content-encoding': coding = 'identity' } = answer.headers;
  const problem =
    location !== undefined && status >= 300 && status < 400
      ? 'a redirect, which is not followed'
      : coding !== 'identity'
        ? `the content-encoding ${coding}, which was not asked for`
        : null;
  if (problem !== null) {
    answer.destroy();
    throw new Error(`The server answered with ${problem}.`);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  if (bodiless.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
}
