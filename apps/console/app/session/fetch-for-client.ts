import { headers as headersOfRequest } from 'next/headers';
import { fetchAgain } from './fetch-again';

/**
 * Calls the API with the address of the client whose request is handled, by which the API counts wrong keys. The header
 * ends with the address of the connection: see server/append-peer-address.mjs.
 */
export async function fetchForClient(input: string | URL | Request, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
  const forwardedFor = (await headersOfRequest()).get('x-forwarded-for');
  if (forwardedFor !== null) headers.set('x-forwarded-for', forwardedFor);
  return fetchAgain(input, { ...init, headers });
}
