import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import {
  ProtocolErrorCode,
  ProtocolError as ServedError,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { version } from '../program/version.js';
import type { Upstream } from './upstream.js';

/**
 * A server for an MCP client whose tools are those of a Spillway server. Each side agrees on its own version of the
 * protocol. Nothing of the tools is known here, so that an old program offers the tools of a new server.
 */
export function bridgeTo(upstream: Upstream): Server {
  const server = new Server(
    { name: 'spillway', version },
    {
      capabilities: { tools: {} },
      instructions:
        'Spillway stores the whole history of conversations whose older messages are summarized and whose large ' +
        'tool outputs are stored aside. Its tools find and read what is missing from the context.',
    },
  );
  server.setRequestHandler('tools/list', async (_request, { mcpReq: { signal } }) => {
    try {
      const { tools } = await (await upstream.client()).listTools(undefined, { signal, cacheMode: 'bypass' });
      return { tools };
    } catch (error) {
      throw asServed(error) ?? new ServedError(ProtocolErrorCode.InternalError, explained(error, upstream));
    }
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, { mcpReq }) => {
    try {
      const client = await upstream.client();
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: args },
        { signal: mcpReq.signal },
      );
      return { content, structuredContent, ...(isError ? { isError } : {}) };
    } catch (error) {
      const served = asServed(error);
      if (served) throw served;
      return failed(explained(error, upstream));
    }
  });
  return server;
}

/** A failed call is an answer: a model that reads nothing would take it for an empty history. */
const failed = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: `Error: ${text}` }],
  isError: true,
});

/** What the server said about the call itself, such as an unknown tool. */
const asServed = (error: unknown): ServedError | null =>
  error instanceof ProtocolError ? new ServedError(error.code, error.message, error.data) : null;

function explained(error: unknown, { url }: Upstream): string {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (status === 401)
    return `Spillway at ${url.origin} refused the key (401). Set SPILLWAY_KEY to a key or thread token that is live.`;
  if (status === 403)
    return `Spillway at ${url.origin} refused the request (403). The key needs the scopes context:read and outputs:read.`;
  if (status === 429) return 'Too many requests (429). Wait a second, then call again.';
  if (status !== undefined) return `Spillway at ${url.origin} answered ${status}. Call again later.`;
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return `Spillway at ${url.origin} could not be reached (${why}). Its history is not empty: call again later.`;
}
