import { z } from 'zod';
import { plainText } from '../text.js';
import { mcpError, mcpMessage } from '../tools/mcp-tools.js';
import { toolCall, toolList, toolResult, toolsQuery } from '../tools/reader-tools.js';
import { threadId, type Route } from './route.js';

/** The tools with which a model reads what left its context. */
export const toolsRoutes: Record<string, Route> = {
  'GET /v1/threads/{id}/tools': {
    id: 'listTools',
    scope: 'context:read',
    summary: 'The tools with which the model reads outputs and earlier messages, as its provider takes them',
    description:
      'Returns the tools with which a model reads offloaded outputs and earlier messages, in the form of ' +
      'its provider. Send them beside your own tools, and pass their calls to the route that runs them.',
    params: threadId,
    query: toolsQuery,
    example: { query: { format: 'anthropic' } },
    answers: { 200: toolList },
  },
  'POST /v1/threads/{id}/tools/{name}': {
    id: 'runTool',
    scope: 'context:read',
    alsoScope: 'outputs:read',
    cost: 'search',
    content: true,
    summary: 'Run a call of such a tool; the answer is text for the model, bounded in tokens',
    description:
      'Runs one call of a reader tool and returns text to post as its result, at most `max_tokens` long. A ' +
      'call with wrong arguments is answered with `is_error` and what to change, not with an HTTP error.',
    params: z.object({
      id: threadId.shape.id,
      name: plainText(64).describe('The name of the tool, ours or that of the policy.'),
    }),
    body: toolCall,
    example: { body: { arguments: { q: 'order 1007' } } },
    answers: { 200: toolResult },
  },
  'POST /mcp': {
    id: 'mcp',
    scope: 'context:read',
    alsoScope: 'outputs:read',
    summary: 'The Model Context Protocol over streamable HTTP: the same tools for any MCP client',
    description:
      'Serves the reader tools, `get_context`, `keep`, `release` and `list_threads` to MCP clients. ' +
      'Stateless: there is no session, and only POST is served. With a key each call names its thread; a ' +
      'thread token has one.',
    body: mcpMessage,
    example: {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_threads', arguments: {} } },
    },
    answers: { 200: [mcpMessage, 'text/event-stream'], 202: null },
    foreignErrors: mcpError,
  },
};
