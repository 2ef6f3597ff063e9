import type { Command } from '../program/command.js';
import { serverSettings } from '../program/server-settings.js';

export const mcp: Command = {
  summary: "Serves Spillway's tools to an MCP client over stdin and stdout.",
  operands: [],
  options: {},
  notes: `It ends with its input. The key needs the scopes context:read and outputs:read. --json changes nothing: the protocol
is JSON.`,
  async run({ env }) {
    const { url, key } = serverSettings(env);
    // Loaded for this command alone: the protocol is most of the program's code.
    const { serveTools } = await import('./serve-tools.js');
    await serveTools({ url: new URL('mcp', url), key });
  },
};
