import { z } from 'zod';
import { clientId, plainText } from '../text.js';
import { mcpMessage } from '../tools/mcp-tools.js';
import { toolCall, toolList, toolResult, toolsQuery } from '../tools/reader-tools.js';
import { threadId, type Route } from './route.js';

/** The tools with which a model reads what left its context. */
export const toolsRoutes: Record<string, Route> = {
  'GET /v1/threads/{id}/tools': {
    id: 'listTools',
    scope: 'context:read',
    summary: 'The tools with which the model reads outputs and earlier messages, as its provider takes them',
    params: threadId,
    query: toolsQuery,
    answers: { 200: toolList },
  },
  'POST /v1/threads/{id}/tools/{name}': {
    id: 'runTool',
    scope: 'context:read',
    alsoScope: 'outputs:read',
    cost: 'search',
    content: true,
    summary: 'Run a call of such a tool; the answer is text for the model, bounded in tokens',
    params: z.object({ id: clientId, name: plainText(64) }),
    body: toolCall,
    answers: { 200: toolResult },
  },
  'POST /mcp': {
    id: 'mcp',
    scope: 'context:read',
    alsoScope: 'outputs:read',
    summary: 'The Model Context Protocol over streamable HTTP: the same tools for any MCP client',
    body: mcpMessage,
    answers: { 200: [mcpMessage, 'text/event-stream'], 202: null },
  },
};
