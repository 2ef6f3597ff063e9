/**
 * A query of the Claude Agent SDK whose model calls go through Spillway. Set SPILLWAY_URL, SPILLWAY_KEY and
 * ANTHROPIC_API_KEY.
 */
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { createSpillway } from '@spillway/claude-agent';

const { SPILLWAY_URL: baseUrl = 'http://localhost:4000', SPILLWAY_KEY: key = '' } = process.env;
const spillway = createSpillway({ baseUrl, key, sdk: { createSdkMcpServer, tool } });
const options = spillway.thread('orders').proxied(process.env);
for await (const message of query({ prompt: process.argv[2] ?? 'What is in this folder?', options }))
  if (message.type === 'result') console.log(message.result);
