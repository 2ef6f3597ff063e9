import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program, type Server } from '../cli/run-program.js';

/** A client of today's protocol, of the one before it, and one of the program that speaks over stdio. */
export const kinds = ['2026-07-28', '2025-11-25', 'stdio'] as const;
export type Kind = (typeof kinds)[number];

/** Connects an MCP client. */
export async function mcpClient({ url, key }: Server, kind: Kind = '2026-07-28'): Promise<Client> {
  const mode = kind === '2026-07-28' ? { pin: kind } : 'legacy';
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(
    kind === 'stdio'
      ? new StdioClientTransport({
          command: process.execPath,
          args: [program, 'mcp'],
          env: { SPILLWAY_URL: url, SPILLWAY_KEY: key },
        })
      : new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }),
  );
  return client;
}

/** The text of an answer. */
export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');

export interface ToolAnswer {
  text: string;
  isError: boolean;
  /** The answer as data, of tools that have it. */
  structure?: Record<string, unknown>;
}

/** Calls a tool and returns its answer. The client has compared the structure with the schema if it listed the tools. */
export async function callTool(client: Client, name: string, args: object): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const { structuredContent: structure } = result;
  return {
    ...{ text: textOf(result), isError: result.isError === true },
    ...(structure === undefined ? {} : { structure: structure as Record<string, unknown> }),
  };
}
