// @module-tag long
import type { Client } from '@modelcontextprotocol/client';
import { apiOf, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool, kinds, mcpClient } from './mcp-clients.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  await apiOf(stack).append('kept', { role: 'user', content: 'The word is xyzzy.' });
});
afterAll(() => stack?.stop());

const read = (client: Client) => callTool(client, 'read_message', { thread_id: 'kept', seq: 1 });

test.each(kinds)('an MCP client (%s) outlives a restart of the API: no session is lost', async (kind) => {
  const client = await mcpClient(stack, kind);
  expect((await read(client)).text).toContain('xyzzy');
  await stack.api.kill();
  const down = await read(client).catch((error: Error) => error);
  // Nothing looks like an empty history.
  if (down instanceof Error) expect(kind).not.toBe('stdio');
  else
    expect(down).toMatchObject({
      isError: true,
      text: expect.stringContaining('could not be reached') as string,
    });
  stack.api = await stack.restart(stack.apis[0]!);
  expect((await read(client)).text).toContain('xyzzy');
  await client.close();
});
