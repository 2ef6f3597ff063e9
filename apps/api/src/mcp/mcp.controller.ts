import {
  createMcpHandler,
  localhostAllowedOrigins,
  ProtocolErrorCode,
  validateOriginHeader,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { Controller, Post, Req, Res } from '@nestjs/common';
import { SpillwayError, type CallerRow, type Runtime } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { countExpensive } from '../admission/admission.js';
import type { CalledRequest } from '../auth/caller.js';
import { whenAbandoned } from '../http/abandoned.js';
import { InjectRuntime } from '../runtime.js';
import { mcpServer, type McpCaller } from './mcp-server.js';

/**
 * The Model Context Protocol over streamable HTTP. Each request stands alone, so that any process answers it. Admission
 * has checked the key before the library sees the request.
 */
@Controller('mcp')
export class McpController {
  private readonly handler: McpHttpHandler;

  constructor(@InjectRuntime() rt: Runtime) {
    this.handler = createMcpHandler(
      ({ authInfo }) => mcpServer(rt, authInfo!.extra as unknown as McpCaller),
      {
        // The tools of a caller do not change while it listens.
        maxSubscriptions: 0,
        onerror: (error) => rt.log.debug({ err: error }, 'an MCP request was refused'),
      },
    );
  }

  @Post()
  async serve(
    @Req() request: CalledRequest & { caller: CallerRow },
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { caller, body } = request;
    refusePages(request.headers.origin);
    if (caller.sessionId !== null)
      throw new SpillwayError(
        'forbidden',
        'A session of the console cannot use MCP. Send an API key or a thread token.',
      );
    if (Array.isArray(body)) {
      await reply.status(400).send(batchRefused);
      return;
    }
    const response = await this.handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: headersOf(request),
        signal: whenAbandoned(reply.raw),
      }),
      {
        parsedBody: body,
        authInfo: {
          // The library has no use for the key.
          token: '',
          clientId: caller.keyId,
          scopes: caller.scopes,
          extra: { caller, countSearch: () => countExpensive(request) } satisfies McpCaller,
        },
      },
    );
    const type = response.headers.get('content-type');
    reply.status(response.status);
    if (type !== null) reply.type(type);
    const isStream = type?.startsWith('text/event-stream') === true && response.body !== null;
    await reply.send(isStream ? Readable.fromWeb(response.body) : await response.text());
  }
}

/**
 * A web page that was loaded from another host cannot reach a server on this machine through a name that it rebinds.
 * Programs send no Origin. Throws `forbidden`.
 */
function refusePages(origin: string | undefined): void {
  if (validateOriginHeader(origin, localhostAllowedOrigins()).ok) return;
  throw new SpillwayError(
    'forbidden',
    'MCP is not served to web pages of other hosts: the Origin header must be absent or name localhost.',
  );
}

const batchRefused = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: ProtocolErrorCode.InvalidRequest,
    message: 'Batches are not supported. Send each JSON-RPC message in a request of its own.',
  },
};

/** What the library reads; the key is not among it. */
const passedOn = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

function headersOf({ headers }: CalledRequest): [string, string][] {
  return passedOn.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
}
