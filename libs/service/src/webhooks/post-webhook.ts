import type { IncomingMessage } from 'node:http';
import { hostOf } from '../outbound/outbound-url.js';
import { PrivateAddress } from '../outbound/public-lookup.js';
import { send, sendPublic } from '../outbound/public-post.js';

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
export async function postWebhook(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  allowed: ReadonlySet<string>,
  stop: AbortSignal,
): Promise<Posted> {
  const late = AbortSignal.timeout(maxMs);
  const request = {
    headers: { 'content-type': 'application/json', 'user-agent': 'Spillway-Webhooks/1', ...headers },
    body,
    signal: AbortSignal.any([late, stop]),
  };
  try {
    const answer = await (allowed.has(hostOf(url)) ? send : sendPublic)(url, request);
    const response = await beginningOf(answer);
    answer.destroy();
    return { status: answer.statusCode ?? null, error: null, response };
  } catch (error) {
    return noAnswer(reasonOf(error as Error, late));
  }
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
