import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { parseArgs } from 'node:util';
import { UsageError, type Command, type Environment } from '../command.js';
import { bridgeTo } from './bridge.js';
import { Upstream } from './upstream.js';

const defaultUrl = 'http://localhost:4000';

export const mcp: Command = {
  summary: "Serves Spillway's tools to an MCP client over stdin and stdout.",
  help: `spillway mcp

Serves the tools of a Spillway server to an MCP client over stdin and stdout.

  SPILLWAY_URL      address of the server; default ${defaultUrl}
  SPILLWAY_API_KEY  an API key with the scopes context:read and outputs:read, or a thread token`,
  async run(words, env) {
    try {
      parseArgs({ args: [...words], options: {}, strict: true });
    } catch (error) {
      throw new UsageError((error as Error).message, { cause: error });
    }
    const upstream = new Upstream(settingsOf(env));
    const transport = new StdioServerTransport();
    const served = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
    const handle = serveStdio(() => bridgeTo(upstream), {
      transport,
      onerror: (error) => console.error(`spillway: ${error.message}`),
    });
    await served;
    await handle.close();
    await upstream.close();
  },
};

function settingsOf(env: Environment): { url: URL; key: string } {
  const { SPILLWAY_URL: address = defaultUrl, SPILLWAY_API_KEY: key } = env;
  if (!key) throw new UsageError('SPILLWAY_API_KEY is not set. Give it an API key or a thread token.');
  const base = address.endsWith('/') ? address : `${address}/`;
  // URL.parse came with Node.js 22.
  const url = URL.canParse(base) ? new URL('mcp', base) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`SPILLWAY_URL (${address}) must be an address like ${defaultUrl}.`);
  return { url, key };
}
