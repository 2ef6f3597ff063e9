import type { RequestInit as AgentRequest } from 'undici';

/** Loaded with the first call: a process without a model needs none of it. */
let client: Promise<(url: string, request: RequestInit) => Promise<Response>> | undefined;

/** Fetches as `fetch` does, and waits as long as the caller's signal says. Follows no redirects: they would leak keys. */
export const patientFetch = async (url: string, request: RequestInit): Promise<Response> =>
  (await (client ??= patientClient()))(url, request);

/**
 * Node's own fetch gives up when the header or the next byte of an answer takes 300 s. A model that answers in one piece
 * sends nothing until it is done, and a large one on small hardware takes longer.
 */
async function patientClient() {
  const { Agent, fetch: fetchOver } = await import('undici');
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return (url: string, request: RequestInit) =>
    fetchOver(url, {
      ...(request as AgentRequest),
      redirect: 'error',
      dispatcher: agent,
    }) as unknown as Promise<Response>;
}
